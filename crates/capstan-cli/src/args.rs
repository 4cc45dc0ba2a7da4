//! The command line.

use std::path::PathBuf;

use capstan_core::{Format, Route};
use clap::{Args, Parser, Subcommand};

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
    /// Read this configuration instead of ./capstan.toml or ~/.config/capstan/config.toml
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Add the MCP servers of a JSON file with `mcpServers`
    #[arg(long, global = true, value_name = "FILE")]
    pub mcp_servers: Vec<PathBuf>,
    /// Refuse everything that changes anything
    #[arg(long, global = true)]
    pub read_only: bool,
}

impl Global {
    /// What must be said again for another command to see the same GitHub and the same cards.
    pub(crate) fn flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        flags.extend(self.demo.then(|| "--demo".to_owned()));
        for cards in &self.cards {
            flags.extend(["--cards".to_owned(), cards.display().to_string()]);
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
    /// Show what a capability needs and gives, or what a diagnostic means
    Explain(ExplainArgs),
    /// List the capabilities
    List(ListArgs),
    /// Find capabilities by what they do
    Search(SearchArgs),
    /// Tell which routes to GitHub are ready, and why not
    Doctor,
    /// Take a short tour, offline
    Demo,
    /// Serve an offline GitHub on this machine
    Sim(SimArgs),
    /// Serve agents over MCP on standard input and output
    Mcp,
    /// Print or write the configuration of an MCP client
    Setup(SetupArgs),
    /// Print completions for a shell
    Completions { shell: clap_complete::Shell },
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan --demo run issue.view -R acme/rocket issue_number=1
  capstan --demo run issue.list owner=acme repo=rocket label=bug --fields number,title
  echo '{\"owner\":\"acme\",\"repo\":\"rocket\",\"title\":\"Leak\"}' | capstan --demo run issue.create --input -
  capstan --demo run issue.close -R acme/rocket issue_number=1 --dry-run

Exit codes: 0 ok, 1 failed, 2 wrong usage or input, 4 not logged in or not allowed")]
pub(crate) struct RunArgs {
    /// The capability, such as issue.view
    #[arg(index = 1)]
    pub capability: String,
    /// Inputs: name=value by the type of the input, name:=JSON as it stands
    #[arg(index = 2, value_name = "NAME=VALUE")]
    pub inputs: Vec<String>,
    /// All inputs as a JSON object; `-` reads it from standard input
    #[arg(long, value_name = "JSON|-")]
    pub input: Option<String>,
    /// The repository; by default the one of this folder's git remote
    #[arg(short = 'R', long, value_name = "OWNER/REPO")]
    pub repo: Option<String>,
    #[command(flatten)]
    pub how: HowArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
FILE is JSON: a list of steps, {\"steps\": […], \"options\": {…}}, or one step a line.
A step is {\"task\": \"issue.view\", \"input\": {…}, \"as\": \"issue\", \"options\": {…}}; only `task` is
needed. In an input, \"$issue.data.number\" or \"$0.data.number\" is the result of an earlier step.

Examples:
  capstan --demo chain examples/chains/triage.json
  capstan --demo chain examples/chains/triage.json --dry-run
  echo '[{\"task\":\"repo.view\"},{\"task\":\"issue.list\"}]' | capstan --demo chain -

Exit codes: 0 ok, 1 failed, 2 wrong usage or input, 3 a part of it failed, 4 not logged in or not
allowed")]
pub(crate) struct ChainArgs {
    /// The steps; `-` reads them from standard input
    #[arg(value_name = "FILE|-")]
    pub file: PathBuf,
    /// The repository of the steps that name none; by default the one of this folder's git remote
    #[arg(short = 'R', long, value_name = "OWNER/REPO")]
    pub repo: Option<String>,
    #[command(flatten)]
    pub how: HowArgs,
}

/// How to run, and how to show what came of it.
#[derive(Debug, Args)]
pub(crate) struct HowArgs {
    /// Use this route and no other: graphql, rest or cli
    #[arg(long)]
    pub route: Option<Route>,
    /// Print what would be sent, and send nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Show every attempt
    #[arg(long)]
    pub trace: bool,
    /// Do not cut long texts
    #[arg(long)]
    pub full: bool,
    /// Keep only these fields
    #[arg(long, value_delimiter = ',', value_name = "FIELD,…")]
    pub fields: Option<Vec<String>>,
    /// The text form in a pipe: json or toon
    #[arg(long, value_parser = format)]
    pub format: Option<Format>,
    /// How long it may take
    #[arg(long, value_name = "MS")]
    pub timeout_ms: Option<u64>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The code reaches the world through `capstan.issue.view({…})`, `mcp.server.tool({…})` and `caps.name({…})`,
and sees its inputs as `args`. The value of its last expression, or what it returns, is the result.

Examples:
  capstan --demo exec -e '(await capstan.issue.list({owner: \"acme\", repo: \"rocket\"})).issues.length' --intent 'count issues'
  capstan --demo exec examples/code/stale.ts --intent 'find stale issues' days=30
  echo 'args.a + args.b' | capstan exec - --intent 'add numbers' a=1 b=2

Exit codes: 0 ok, 1 failed, 2 wrong usage, input or code, 4 not logged in or not allowed")]
pub(crate) struct ExecArgs {
    /// The file; `-` reads it from standard input
    #[arg(index = 1, value_name = "FILE|-", required_unless_present = "eval")]
    pub file: Option<String>,
    /// Inputs, seen as `args`: name=value, name:=JSON as it stands
    #[arg(index = 2, value_name = "NAME=VALUE")]
    pub inputs: Vec<String>,
    /// The code itself
    #[arg(short = 'e', long, value_name = "CODE")]
    pub eval: Option<String>,
    /// What the code is for, in a few words; it becomes the description of the capability
    #[arg(long, value_name = "TEXT")]
    pub intent: String,
    #[command(flatten)]
    pub how: CodeHowArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan call stale-issues days=30
  capstan call local.default.issue.exec_a7f3b2c1.a7f3 --args '{\"days\": 30}'

Exit codes: 0 ok, 1 failed, 2 wrong usage or input, 4 not logged in or not allowed")]
pub(crate) struct CallArgs {
    /// Its name, an alias, its full name or its id
    #[arg(index = 1)]
    pub name: String,
    /// Inputs, seen as `args`: name=value, name:=JSON as it stands
    #[arg(index = 2, value_name = "NAME=VALUE")]
    pub inputs: Vec<String>,
    /// What it is called for
    #[arg(long, value_name = "TEXT")]
    pub intent: Option<String>,
    #[command(flatten)]
    pub how: CodeHowArgs,
}

/// How to run code, and how to show what came of it.
#[derive(Debug, Args)]
pub(crate) struct CodeHowArgs {
    /// All inputs as a JSON object; `-` reads it from standard input
    #[arg(long, value_name = "JSON|-")]
    pub args: Option<String>,
    /// Show what it wrote to its console, and under which id it is remembered
    #[arg(long)]
    pub trace: bool,
    /// The text form in a pipe: json or toon
    #[arg(long, value_parser = format)]
    pub format: Option<Format>,
    /// How long it may take
    #[arg(long, value_name = "MS")]
    pub timeout_ms: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The capability, such as issue.view, or the code of a diagnostic, such as E041
    pub capability: String,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Only the capabilities of a domain, such as issue
    pub domain: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// What you want to do, in your words
    #[arg(required = true)]
    pub intent: Vec<String>,
    /// Only the capabilities of a domain, such as issue
    #[arg(long)]
    pub domain: Option<String>,
    /// How many
    #[arg(long, default_value_t = 10)]
    pub limit: usize,
}

#[derive(Debug, Args)]
pub(crate) struct SimArgs {
    /// The port; 0 picks a free one
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// Serve on a Unix socket too, for the real gh (http_unix_socket)
    #[arg(long, value_name = "PATH")]
    pub socket: Option<PathBuf>,
}

fn format(text: &str) -> Result<Format, String> {
    match text {
        "json" => Ok(Format::Json),
        "toon" => Ok(Format::Toon),
        _ => Err("expected json or toon".to_owned()),
    }
}
