//! The commands, and the flags that all of them take.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::{
    CallArgs, CapCommand, ChainArgs, CheckArgs, DepCommand, DoctorArgs, ExecArgs, ExplainArgs,
    GraphCommand, ListArgs, McpArgs, RunArgs, SearchArgs, ServeArgs, SimArgs, SkillCommand,
    SuggestArgs, TraceCommand, TypesArgs,
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
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Global {
    /// Print JSON, on a terminal too
    #[arg(long, global = true)]
    pub json: bool,
    /// Run against a GitHub inside the process, seeded with the organisation `acme`
    #[arg(long, global = true)]
    pub demo: bool,
    /// Add the cards of a folder; they win over built-in ones of the same id
    #[arg(long, global = true, value_name = "DIR")]
    pub cards: Vec<PathBuf>,
    /// Add the skills of a file or folder
    #[arg(long, global = true, value_name = "PATH")]
    pub skills: Vec<PathBuf>,
    /// Read this configuration instead of ./capstan.toml or ~/.config/capstan/config.toml
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Add the MCP servers of a JSON file with `mcpServers`
    #[arg(long, global = true, value_name = "FILE")]
    pub mcp_servers: Vec<PathBuf>,
    /// Refuse everything that changes anything
    #[arg(long, global = true)]
    pub read_only: bool,
    /// The repository that a command was told to work with.
    #[arg(skip)]
    pub repository: Option<(String, String)>,
}

impl Global {
    /// What must be said again for another command to see the same GitHub and the same cards.
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
    /// Run many capabilities in few requests
    Chain(ChainArgs),
    /// Run TypeScript in the sandbox, and remember it
    Exec(ExecArgs),
    /// Run remembered code by its name
    Call(CallArgs),
    /// Name, list, show, share, join, delete, export and import remembered code
    #[command(subcommand)]
    Cap(CapCommand),
    /// State, list, explain and forget how capabilities are related
    #[command(subcommand)]
    Dep(DepCommand),
    /// Show the graph of relations, ways through it, and what is around a capability
    #[command(subcommand)]
    Graph(GraphCommand),
    /// List and show what was executed
    #[command(subcommand)]
    Trace(TraceCommand),
    /// Run, draw, compare and begin skills
    #[command(subcommand)]
    Skill(SkillCommand),
    /// Check skills and cards, before anything runs
    Check(CheckArgs),
    /// Show what a capability needs and gives, or what a diagnostic means
    Explain(ExplainArgs),
    /// Write TypeScript declarations of everything that code can call
    Types(TypesArgs),
    /// List the capabilities
    List(ListArgs),
    /// Find capabilities by what they do
    Search(SearchArgs),
    /// Suggest what to run for an intent, and run it
    Suggest(SuggestArgs),
    /// Tell what is ready and what is not: routes, token, sandbox, store, servers
    Doctor(DoctorArgs),
    /// Take a short tour, offline
    Demo,
    /// Serve an offline GitHub on this machine
    Sim(SimArgs),
    /// Serve agents over MCP on standard input and output
    Mcp(McpArgs),
    /// Serve relations, the graph and search over HTTP
    Serve(ServeArgs),
    /// Print or write what makes a client use Capstan: MCP configuration or a skill
    Setup(SetupArgs),
    /// Print completions for a shell
    Completions { shell: clap_complete::Shell },
    /// A capability in gh's words: issue.list --label bug --limit 1
    #[command(external_subcommand)]
    Line(Vec<String>),
}
