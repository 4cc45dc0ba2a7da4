//! Arguments of `capstan run` and `capstan chain`.

use std::path::PathBuf;

use capstan_core::{Format, Route};
use clap::Args;

use super::values::{OutputFormat, parse_output_format};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan --demo run issue.view -R acme/rocket issue_number=1
  capstan --demo run issue.list owner=acme repo=rocket label=bug --fields number,title
  echo '{\"owner\":\"acme\",\"repo\":\"rocket\",\"title\":\"Leak\"}' | capstan --demo run issue.create --input -
  capstan --demo run issue.close -R acme/rocket issue_number=1 --dry-run
  capstan --demo run - 'issue.view 47' 'pr.list --limit 3'
  capstan --demo run - --format view 'issue.close 1' 'issue.view 1 --fields state'

Exit codes: 0 ok, 1 failed, 2 wrong usage or input, 4 not logged in or not allowed")]
pub(crate) struct RunArgs {
    /// A capability such as issue.view; `-` runs the lines that follow, or lines from standard input
    #[arg(index = 1)]
    pub capability: String,
    /// Inputs: name=value, converted to the type of the input, or name:=JSON
    #[arg(index = 2, value_name = "NAME=VALUE")]
    pub inputs: Vec<String>,
    /// All inputs as a JSON object; `-` reads standard input
    #[arg(long, value_name = "JSON|-")]
    pub input: Option<String>,
    /// Repository [default: this folder's git remote]
    #[arg(short = 'R', long, value_name = "OWNER/REPO")]
    pub repo: Option<String>,
    #[command(flatten)]
    pub options: RunOptions,
}

#[derive(Debug, Args)]
#[command(after_help = "\
FILE is JSON: a list of steps, {\"steps\": […], \"options\": {…}}, or one step per line.
A step is {\"task\": \"issue.view\", \"input\": {…}, \"as\": \"issue\", \"options\": {…}}; only `task` is
required. In an input, \"$issue.data.number\" or \"$0.data.number\" is the result of an earlier step.

Examples:
  capstan --demo chain examples/chains/triage.json
  capstan --demo chain examples/chains/triage.json --dry-run
  echo '[{\"task\":\"repo.view\"},{\"task\":\"issue.list\"}]' | capstan --demo chain -

Exit codes: 0 ok, 1 failed, 2 wrong usage or input, 3 some steps failed, 4 not logged in or not
allowed")]
pub(crate) struct ChainArgs {
    /// A file with steps; `-` reads standard input
    #[arg(value_name = "FILE|-")]
    pub file: PathBuf,
    /// Repository for steps that name none [default: this folder's git remote]
    #[arg(short = 'R', long, value_name = "OWNER/REPO")]
    pub repo: Option<String>,
    #[command(flatten)]
    pub options: RunOptions,
}

/// Options of commands that run capabilities.
#[derive(Clone, Debug, Args)]
pub(crate) struct RunOptions {
    /// Use only this route: graphql, rest or cli
    #[arg(long)]
    pub route: Option<Route>,
    /// Show what would be sent without sending it
    #[arg(long)]
    pub dry_run: bool,
    /// Show every attempt
    #[arg(long)]
    pub trace: bool,
    /// Do not truncate long texts
    #[arg(long)]
    pub full: bool,
    /// Show only these fields
    #[arg(long, value_delimiter = ',', value_name = "FIELD,…")]
    pub fields: Option<Vec<String>>,
    /// Output format: json, toon, or view (the short text that agents get)
    #[arg(long, value_parser = parse_output_format)]
    pub format: Option<OutputFormat>,
    /// Time limit in milliseconds
    #[arg(long, value_name = "MS")]
    pub timeout_ms: Option<u64>,
    /// Estimate how many tokens the call costs a model
    #[arg(long)]
    pub cost: bool,
}

impl RunOptions {
    /// Returns the format for programs, or `None` if no format or `view` was given.
    pub(crate) fn data_format(&self) -> Option<Format> {
        self.format.and_then(OutputFormat::data_format)
    }
}
