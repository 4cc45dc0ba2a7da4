//! Arguments of `capstan exec` and `capstan call`.

use capstan_core::Format;
use clap::Args;

use super::values::parse_format;

#[derive(Debug, Args)]
#[command(after_help = "\
The code calls capabilities with `capstan.issue.view({…})`, `mcp.server.tool({…})` and
`caps.name({…})`, and reads its inputs from `args`. The result is the value of its last
expression, or what it returns.

Examples:
  capstan --demo exec -e 'capstan.repo.view({owner: \"acme\", repo: \"rocket\"})' --intent 'look'
  capstan --demo exec examples/code/stale.ts --intent 'find stale issues' days=30
  echo 'args.a + args.b' | capstan exec - --intent 'add numbers' a=1 b=2

Exit codes: 0 ok, 1 failed, 2 wrong usage, input or code, 4 not logged in or not allowed")]
pub(crate) struct ExecArgs {
    /// A TypeScript file; `-` reads standard input
    #[arg(index = 1, value_name = "FILE|-", required_unless_present = "eval")]
    pub file: Option<String>,
    /// Inputs, read from `args`: name=value, or name:=JSON
    #[arg(index = 2, value_name = "NAME=VALUE")]
    pub inputs: Vec<String>,
    /// Run this code instead of a file
    #[arg(short = 'e', long, value_name = "CODE")]
    pub eval: Option<String>,
    /// What the code does, in a few words; this becomes the description of the capability
    #[arg(long, value_name = "TEXT")]
    pub intent: String,
    #[command(flatten)]
    pub options: CodeRunOptions,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan call NAME days=30
  capstan call NAME --args '{\"days\": 30}'

Exit codes: 0 ok, 1 failed, 2 wrong usage or input, 4 not logged in or not allowed")]
pub(crate) struct CallArgs {
    /// The code: a name, an alias, a full name or an id
    #[arg(index = 1)]
    pub name: String,
    /// Inputs, read from `args`: name=value, or name:=JSON
    #[arg(index = 2, value_name = "NAME=VALUE")]
    pub inputs: Vec<String>,
    /// Why you call it, for the trace
    #[arg(long, value_name = "TEXT")]
    pub intent: Option<String>,
    #[command(flatten)]
    pub options: CodeRunOptions,
}

/// Options of commands that run code.
#[derive(Debug, Args)]
pub(crate) struct CodeRunOptions {
    /// All inputs as a JSON object; `-` reads standard input
    #[arg(long, value_name = "JSON|-")]
    pub args: Option<String>,
    /// Show the console output and the trace id, even in a pipe
    #[arg(long)]
    pub trace: bool,
    /// Output format in a pipe: json or toon
    #[arg(long, value_parser = parse_format)]
    pub format: Option<Format>,
    /// Time limit in milliseconds
    #[arg(long, value_name = "MS")]
    pub timeout_ms: Option<u64>,
    /// Estimate how many tokens the call costs a model
    #[arg(long)]
    pub cost: bool,
}
