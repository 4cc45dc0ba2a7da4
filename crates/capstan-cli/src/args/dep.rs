//! Arguments of `capstan dep`.

use clap::{Args, Subcommand};

use super::values::{direction_parser, edge_kind_parser, edge_source_parser, parse_fraction};

/// Manage relations between capabilities
#[derive(Debug, Subcommand)]
#[command(after_help = "\
A relation from A to B has a type: A calls B (contains), A is followed by B (sequence), A uses
the output of B (dependency), A does the same as B (alternative). Its confidence depends on its
type and on its source: manual and observed (3 times or more) 1, inferred 0.7, template 0.5.

Examples:
  capstan dep add issue.close issue.view --type dependency
  capstan dep list issue.view --direction from
  capstan dep show issue.close issue.view
  capstan dep update issue.close issue.view --by 2
  capstan dep rm issue.close issue.view

Exit codes: 0 ok, 1 failed, 2 wrong usage or input, 4 not allowed by the policy")]
pub(crate) enum DepCommand {
    /// Add a relation between two capabilities
    Add(DepAddArgs),
    /// List relations
    List(DepListArgs),
    /// Show a relation and its observations
    Show(DepShowArgs),
    /// Record that a relation was observed again
    Update(DepUpdateArgs),
    /// Remove a relation
    Rm(DepRmArgs),
    /// Remove learned relations, and keep those that were added
    Forget(DepForgetArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan dep add issue.close issue.view --type dependency
  capstan dep add pr.list pr.view --type sequence --source template")]
pub(crate) struct DepAddArgs {
    /// The capability that contains, precedes, uses or replaces the other
    pub from: String,
    /// The other capability
    pub to: String,
    /// Type of the relation
    #[arg(long = "type", value_name = "TYPE", value_parser = edge_kind_parser())]
    pub kind: String,
    /// Source of the relation [default: manual]
    #[arg(long, value_parser = edge_source_parser())]
    pub source: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan dep list
  capstan dep list issue.view --direction from --min-confidence 0.5")]
pub(crate) struct DepListArgs {
    /// List only relations of this capability
    pub capability: Option<String>,
    /// List only relations from it, or to it [default: both]
    #[arg(long, value_parser = direction_parser(), requires = "capability")]
    pub direction: Option<String>,
    /// List only this type
    #[arg(long = "type", value_name = "TYPE", value_parser = edge_kind_parser())]
    pub kind: Option<String>,
    /// List only this source
    #[arg(long, value_parser = edge_source_parser())]
    pub source: Option<String>,
    /// List only relations with at least this confidence, from 0 to 1
    #[arg(long, value_name = "N", value_parser = parse_fraction)]
    pub min_confidence: Option<f64>,
    /// Maximum number of results, up to 1000 [default: 50]
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// Number of results to skip
    #[arg(long, value_name = "N")]
    pub offset: Option<u64>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  capstan dep show issue.close issue.view")]
pub(crate) struct DepShowArgs {
    /// The capability where the relation begins
    pub from: String,
    /// The capability where the relation ends
    pub to: String,
    /// Maximum number of observations, up to 1000 [default: 20]
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
After three observations the source of a relation is `observed`; adding it counts as one.

Example:
  capstan dep update issue.close issue.view --by 2")]
pub(crate) struct DepUpdateArgs {
    /// The capability where the relation begins
    pub from: String,
    /// The capability where the relation ends
    pub to: String,
    /// Number of observations to add, up to 1000000 [default: 1]
    #[arg(long, value_name = "N")]
    pub by: Option<u64>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  capstan dep rm issue.close issue.view")]
pub(crate) struct DepRmArgs {
    /// The capability where the relation begins
    pub from: String,
    /// The capability where the relation ends
    pub to: String,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan dep forget issue.view
  capstan dep forget --all")]
pub(crate) struct DepForgetArgs {
    /// Remove what was learned about this capability
    pub capability: Option<String>,
    /// Remove what was learned about all capabilities
    #[arg(
        long,
        conflicts_with = "capability",
        required_unless_present = "capability"
    )]
    pub all: bool,
}
