//! The commands, and the flags that every command accepts.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::{
    CallArgs, CapCommand, CardsCommand, ChainArgs, CheckArgs, DepCommand, DoctorArgs, ExecArgs,
    ExplainArgs, GraphCommand, ListArgs, McpArgs, RunArgs, SearchArgs, ServeArgs, SimArgs,
    SkillCommand, SuggestArgs, TraceCommand, TypesArgs,
};
use crate::commands::setup::SetupArgs;

/// One binary between AI agents and GitHub: typed capabilities, the best route, one answer.
#[derive(Debug, Parser)]
#[command(
    name = "capstan",
    version,
    about,
    propagate_version = true,
    disable_help_subcommand = true
)]
#[command(
    after_help = "Try it without a token:  capstan --demo run issue.view -R acme/rocket issue_number=1"
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub global: GlobalArgs,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct GlobalArgs {
    /// Print JSON, even on a terminal
    #[arg(long, global = true)]
    pub json: bool,
    /// Use a simulated GitHub with the organisation `acme`, offline
    #[arg(long, global = true)]
    pub demo: bool,
    /// Add the cards of a folder; they replace built-in cards with the same id
    #[arg(long, global = true, value_name = "DIR")]
    pub cards: Vec<PathBuf>,
    /// Add the skills of a file or folder
    #[arg(long, global = true, value_name = "PATH")]
    pub skills: Vec<PathBuf>,
    /// Read this configuration instead of ./capstan.toml and ~/.config/capstan/config.toml
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Add the MCP servers of a JSON file that has `mcpServers`
    #[arg(long, global = true, value_name = "FILE")]
    pub mcp_servers: Vec<PathBuf>,
    /// Refuse every capability that changes something
    #[arg(long, global = true)]
    pub read_only: bool,
    /// The repository for calls that name none. Set by commands that take `--repo`.
    #[arg(skip)]
    pub repository: Option<(String, String)>,
}

impl GlobalArgs {
    /// Returns the flags that make another command use the same GitHub, cards, skills and servers.
    pub(crate) fn flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        flags.extend(self.demo.then(|| "--demo".to_owned()));
        for cards in &self.cards {
            flags.extend(["--cards".to_owned(), cards.display().to_string()]);
        }
        for skills in &self.skills {
            flags.extend(["--skills".to_owned(), skills.display().to_string()]);
        }
        if let Some(config) = &self.config {
            flags.extend(["--config".to_owned(), config.display().to_string()]);
        }
        for servers in &self.mcp_servers {
            flags.extend(["--mcp-servers".to_owned(), servers.display().to_string()]);
        }
        flags.extend(self.read_only.then(|| "--read-only".to_owned()));
        flags
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a capability
    Run(RunArgs),
    /// Run several capabilities in as few requests as possible
    Chain(ChainArgs),
    /// Run TypeScript in the sandbox and remember it
    Exec(ExecArgs),
    /// Run remembered code by name
    Call(CallArgs),
    /// Manage remembered code: name, list, show, share, merge, delete, export, import
    #[command(subcommand)]
    Cap(CapCommand),
    /// Import descriptions of other services as cards
    #[command(subcommand)]
    Cards(CardsCommand),
    /// Manage relations between capabilities: add, list, show, update, remove, forget
    #[command(subcommand)]
    Dep(DepCommand),
    /// Show the graph of relations, paths through it, and the neighbors of a capability
    #[command(subcommand)]
    Graph(GraphCommand),
    /// List, show and prune traces of past executions
    #[command(subcommand)]
    Trace(TraceCommand),
    /// Run, draw, compare, lock and create skills
    #[command(subcommand)]
    Skill(SkillCommand),
    /// Check skills and cards without running them
    Check(CheckArgs),
    /// Show the inputs and outputs of a capability, or explain a diagnostic code
    Explain(ExplainArgs),
    /// Generate TypeScript declarations of everything that code can call
    Types(TypesArgs),
    /// List capabilities
    List(ListArgs),
    /// Search capabilities by what they do
    Search(SearchArgs),
    /// Suggest what to run for an intent, and run it with --accept
    Suggest(SuggestArgs),
    /// Check the setup: routes, token, sandbox, store, servers
    Doctor(DoctorArgs),
    /// Take a short tour, offline
    Demo,
    /// Serve an offline GitHub on this machine
    Sim(SimArgs),
    /// Serve agents over MCP on standard input and output
    Mcp(McpArgs),
    /// Serve relations, the graph and search over HTTP
    Serve(ServeArgs),
    /// Set up a client to use Capstan: MCP configuration or Agent Skill
    Setup(SetupArgs),
    /// Print a completion script for a shell
    Completions { shell: clap_complete::Shell },
    /// Run a capability in the syntax of gh: issue.list --label bug --limit 1
    #[command(external_subcommand)]
    Line(Vec<String>),
}
