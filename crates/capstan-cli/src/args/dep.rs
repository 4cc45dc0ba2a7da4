//! The words of `dep`.

use clap::{Args, Subcommand};

use super::values::{directions, edge_kinds, edge_sources, share};

/// How capabilities are related.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
A relation has a type: A contains B (calls it), A is followed by B (sequence), A uses what B gives
(dependency), A does what B does (alternative). How sure it is comes from its type and from who
says so: manual and observed (3 times or more) 1, inferred 0.7, template 0.5.

Examples:
  capstan dep add issue.close issue.view --type dependency
  capstan dep list issue.view --direction from
  capstan dep show issue.close issue.view
  capstan dep update issue.close issue.view --by 2
  capstan dep rm issue.close issue.view

Exit codes: 0 ok, 1 failed, 2 wrong usage or input, 4 not allowed by the policy")]
pub(crate) enum DepCommand {
    /// State how two capabilities are related
    Add(DepAddArgs),
    /// List relations
    List(DepListArgs),
    /// Show a relation, and the observations behind it
    Show(DepShowArgs),
    /// Count that a relation was seen again
    Update(DepUpdateArgs),
    /// Forget a relation
    Rm(DepRmArgs),
    /// Forget what was learned, and keep what was stated
    Forget(DepForgetArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan dep add issue.close issue.view --type dependency
  capstan dep add pr.list pr.view --type sequence --source template")]
pub(crate) struct DepAddArgs {
    /// What contains, precedes, uses or replaces the other
    pub from: String,
    /// The other
    pub to: String,
    /// How they are related
    #[arg(long = "type", value_name = "TYPE", value_parser = edge_kinds())]
    pub kind: String,
    /// Who says so [default: manual]
    #[arg(long, value_parser = edge_sources())]
    pub source: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan dep list
  capstan dep list issue.view --direction from --min-confidence 0.5")]
pub(crate) struct DepListArgs {
    /// Only those of one capability
    pub capability: Option<String>,
    /// Only those from it, or to it [default: both]
    #[arg(long, value_parser = directions(), requires = "capability")]
    pub direction: Option<String>,
    /// Only those of a type
    #[arg(long = "type", value_name = "TYPE", value_parser = edge_kinds())]
    pub kind: Option<String>,
    /// Only those from a source
    #[arg(long, value_parser = edge_sources())]
    pub source: Option<String>,
    /// Only those that are at least this sure, from 0 to 1
    #[arg(long, value_name = "N", value_parser = share)]
    pub min_confidence: Option<f64>,
    /// How many at most, up to 1000 [default: 50]
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// How many to pass over
    #[arg(long, value_name = "N")]
    pub offset: Option<u64>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  capstan dep show issue.close issue.view")]
pub(crate) struct DepShowArgs {
    /// Where it begins
    pub from: String,
    /// Where it ends
    pub to: String,
    /// How many observations at most, up to 1000 [default: 20]
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Three times make a relation observed; being stated counts as the first.

Example:
  capstan dep update issue.close issue.view --by 2")]
pub(crate) struct DepUpdateArgs {
    /// Where it begins
    pub from: String,
    /// Where it ends
    pub to: String,
    /// How many times it was seen, up to 1000000 [default: 1]
    #[arg(long, value_name = "N")]
    pub by: Option<u64>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  capstan dep rm issue.close issue.view")]
pub(crate) struct DepRmArgs {
    /// Where it begins
    pub from: String,
    /// Where it ends
    pub to: String,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan dep forget issue.view
  capstan dep forget --all")]
pub(crate) struct DepForgetArgs {
    /// Only what was learned about one capability
    pub capability: Option<String>,
    /// Forget what was learned about all of them
    #[arg(
        long,
        conflicts_with = "capability",
        required_unless_present = "capability"
    )]
    pub all: bool,
}
