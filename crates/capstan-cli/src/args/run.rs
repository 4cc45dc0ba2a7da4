//! The words of `run` and `chain`.

use std::path::PathBuf;

use capstan_core::{Format, Route};
use clap::Args;

use super::values::{TextForm, text_form};

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
    /// The capability, such as issue.view; `-` runs the lines that follow, or those on standard input
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
#[derive(Clone, Debug, Args)]
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
    /// The text form: json or toon, as in a pipe, or view, the short text that agents get
    #[arg(long, value_parser = text_form)]
    pub format: Option<TextForm>,
    /// How long it may take
    #[arg(long, value_name = "MS")]
    pub timeout_ms: Option<u64>,
    /// Estimate what the call costs a model, in tokens
    #[arg(long)]
    pub cost: bool,
}

impl HowArgs {
    /// The form for programs, if one was asked for.
    pub(crate) fn format_for_programs(&self) -> Option<Format> {
        self.format.and_then(TextForm::format)
    }
}
