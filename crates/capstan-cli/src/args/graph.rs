//! The words of `graph`.

use clap::{Args, Subcommand, ValueEnum};

use super::values::{directions, edge_kinds, edge_sources, share};

/// The graph of relations, as it was stated and learned.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  capstan graph snapshot --prefix issue.
  capstan graph snapshot --format dot > graph.dot
  capstan graph path FROM TO
  capstan graph neighbors issue.view --depth 2

Exit codes: 0 ok, 1 failed, 2 wrong usage or input, 4 not allowed by the policy")]
pub(crate) enum GraphCommand {
    /// Show the graph: what matters most, what belongs together, how it is related
    Snapshot(GraphSnapshotArgs),
    /// Find the surest way from one capability to another
    Path(GraphPathArgs),
    /// Show what is around a capability, nearest first
    Neighbors(GraphNeighborsArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan graph snapshot --prefix issue.
  capstan graph snapshot --format dot > graph.dot")]
pub(crate) struct GraphSnapshotArgs {
    /// How it is printed
    #[arg(long, value_enum, default_value = "table")]
    pub format: SnapshotFormat,
    /// Only relations of a type
    #[arg(long = "type", value_name = "TYPE", value_parser = edge_kinds())]
    pub kind: Option<String>,
    /// Only relations from a source
    #[arg(long, value_parser = edge_sources())]
    pub source: Option<String>,
    /// Only those that are at least this sure, from 0 to 1
    #[arg(long, value_name = "N", value_parser = share)]
    pub min_confidence: Option<f64>,
    /// Only capabilities that begin so: `issue.` for those of issues
    #[arg(long)]
    pub prefix: Option<String>,
    /// How many relations at most, up to 1000 [default: 100; a drawing has all]
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// Where the page before ended
    #[arg(long)]
    pub cursor: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SnapshotFormat {
    Table,
    /// For Graphviz
    Dot,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  capstan graph path FROM TO")]
pub(crate) struct GraphPathArgs {
    /// Where the way begins
    pub from: String,
    /// Where it ends
    pub to: String,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan graph neighbors issue.view
  capstan graph neighbors issue.view --direction from --depth 2")]
pub(crate) struct GraphNeighborsArgs {
    /// The one in the middle
    pub capability: String,
    /// Only what it leads to, or what leads to it [default: both]
    #[arg(long, value_parser = directions())]
    pub direction: Option<String>,
    /// Only over relations of a type
    #[arg(long = "type", value_name = "TYPE", value_parser = edge_kinds())]
    pub kind: Option<String>,
    /// How many relations away at most, up to 10 [default: 1]
    #[arg(long, value_name = "N")]
    pub depth: Option<u64>,
    /// How many at most, up to 1000 [default: 50]
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
}
