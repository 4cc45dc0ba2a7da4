//! The words of `explain`, `list` and `search`.

use capstan_core::card::Kind;
use clap::Args;

use super::values::kinds;

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The capability, such as issue.view, the name of remembered code, or the code of a diagnostic, such as E041
    pub capability: String,
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
    /// How many
    #[arg(long, default_value_t = 10)]
    pub limit: usize,
}
