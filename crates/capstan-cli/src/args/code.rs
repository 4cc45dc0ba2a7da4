//! The words of `exec` and `call`.

use capstan_core::Format;
use clap::Args;

use super::values::format;

#[derive(Debug, Args)]
#[command(after_help = "\
The code reaches the world through `capstan.issue.view({…})`, `mcp.server.tool({…})` and `caps.name({…})`,
and sees its inputs as `args`. The value of its last expression, or what it returns, is the result.

Examples:
  capstan --demo exec -e 'capstan.repo.view({owner: \"acme\", repo: \"rocket\"})' --intent 'look'
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
  capstan call NAME days=30
  capstan call NAME --args '{\"days\": 30}'

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
    /// Tell what it wrote to its console in a pipe too, and which trace it left
    #[arg(long)]
    pub trace: bool,
    /// The text form in a pipe: json or toon
    #[arg(long, value_parser = format)]
    pub format: Option<Format>,
    /// How long it may take
    #[arg(long, value_name = "MS")]
    pub timeout_ms: Option<u64>,
    /// Estimate what the call costs a model, in tokens
    #[arg(long)]
    pub cost: bool,
}
