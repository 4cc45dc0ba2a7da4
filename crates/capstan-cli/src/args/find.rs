//! The words of `explain`, `list` and `search`.

use capstan_core::card::Kind;
use clap::Args;

use super::values::{kinds, rows};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan explain issue.view
  capstan explain --ts issue.list
  capstan explain E041

Exit codes: 0 ok, 1 there is no such thing, 2 wrong usage")]
pub(crate) struct ExplainArgs {
    /// The capability, such as issue.view, the name of remembered code, or the code of a diagnostic, such as E041
    pub capability: String,
    /// Show how code calls it, as a TypeScript signature
    #[arg(long)]
    pub ts: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Only the capabilities of a domain or a server, such as issue
    pub domain: Option<String>,
    /// Only capabilities of a kind
    #[arg(long, value_parser = kinds())]
    pub kind: Option<Kind>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan search close an issue
  capstan search merge --kind card --domain pr --limit 3
  capstan search close an issue --deps

Exit codes: 0 ok, also when nothing fits, 2 wrong usage or input")]
pub(crate) struct SearchArgs {
    /// What you want to do, in your words
    #[arg(required = true)]
    pub intent: Vec<String>,
    /// Only the capabilities of a domain, such as issue
    #[arg(long)]
    pub domain: Option<String>,
    /// Only capabilities of a kind
    #[arg(long, value_parser = kinds())]
    pub kind: Option<Kind>,
    /// How many; more than 50 are never found [default: 10, for an agent 5]
    #[arg(long, value_name = "N", value_parser = rows)]
    pub limit: Option<usize>,
    /// Tell what each depends on, by relations of the type dependency
    #[arg(long)]
    pub deps: bool,
}
