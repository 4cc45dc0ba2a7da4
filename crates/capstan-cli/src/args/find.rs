//! Arguments of `capstan explain`, `capstan list` and `capstan search`.

use std::path::PathBuf;

use capstan_core::card::Kind;
use clap::{Args, ValueHint};

use super::values::{kind_parser, parse_result_limit};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan explain issue.view
  capstan explain --ts issue.list
  capstan explain E041

Exit codes: 0 ok, 1 not found, 2 wrong usage")]
pub(crate) struct ExplainArgs {
    /// A capability such as issue.view, the name of remembered code, or a diagnostic code such as E041
    pub capability: String,
    /// Show the TypeScript signature that code calls
    #[arg(long)]
    pub ts: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan list
  capstan list gist
  capstan list --all --json
  capstan list --html catalogue.html

Exit codes: 0 ok, 2 wrong usage, or the page cannot be written")]
pub(crate) struct ListArgs {
    /// List only this domain or server, such as issue
    pub domain: Option<String>,
    /// List only this kind
    #[arg(long, value_parser = kind_parser())]
    pub kind: Option<Kind>,
    /// List generated cards too, which cover the rest of GitHub's REST API; in JSON, with all that is known
    #[arg(long)]
    pub all: bool,
    /// Write everything, generated cards too, to a page that can be filtered, replacing the file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub html: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan search close an issue
  capstan search merge --kind card --domain pr --limit 3
  capstan search close an issue --deps

Exit codes: 0 ok, even if nothing matches, 2 wrong usage or input")]
pub(crate) struct SearchArgs {
    /// What you want to do, in your own words
    #[arg(required = true)]
    pub intent: Vec<String>,
    /// Search only this domain, such as issue
    #[arg(long)]
    pub domain: Option<String>,
    /// Search only this kind
    #[arg(long, value_parser = kind_parser())]
    pub kind: Option<Kind>,
    /// Maximum number of results, up to 50 [default: 10, for an agent 5]
    #[arg(long, value_name = "N", value_parser = parse_result_limit)]
    pub limit: Option<usize>,
    /// Show the dependencies of each result
    #[arg(long)]
    pub deps: bool,
}
