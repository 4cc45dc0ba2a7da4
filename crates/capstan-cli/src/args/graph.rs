//! Arguments of `capstan graph`.

use clap::{Args, Subcommand, ValueEnum};

use super::values::{direction_parser, edge_kind_parser, edge_source_parser, parse_fraction};

/// Show the graph of relations between capabilities
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  capstan graph snapshot --prefix issue.
  capstan graph snapshot --format dot > graph.dot
  capstan graph path FROM TO
  capstan graph neighbors issue.view --depth 2

Exit codes: 0 ok, 1 failed, 2 wrong usage or input, 4 not allowed by the policy")]
pub(crate) enum GraphCommand {
    /// Show the graph: ranks, communities and relations
    Snapshot(GraphSnapshotArgs),
    /// Find the path with the highest confidence between two capabilities
    Path(GraphPathArgs),
    /// Show the neighbors of a capability, nearest first
    Neighbors(GraphNeighborsArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan graph snapshot --prefix issue.
  capstan graph snapshot --format dot > graph.dot")]
pub(crate) struct GraphSnapshotArgs {
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    pub format: SnapshotFormat,
    /// Show only this type
    #[arg(long = "type", value_name = "TYPE", value_parser = edge_kind_parser())]
    pub kind: Option<String>,
    /// Show only this source
    #[arg(long, value_parser = edge_source_parser())]
    pub source: Option<String>,
    /// Show only relations with at least this confidence, from 0 to 1
    #[arg(long, value_name = "N", value_parser = parse_fraction)]
    pub min_confidence: Option<f64>,
    /// Show only capabilities with this prefix, such as `issue.`
    #[arg(long)]
    pub prefix: Option<String>,
    /// Maximum number of relations, up to 1000 [default: 100; all with --format dot]
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// Continue after a page, from its `next_cursor`
    #[arg(long)]
    pub cursor: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SnapshotFormat {
    /// Tables
    Table,
    /// Graphviz
    Dot,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  capstan graph path FROM TO")]
pub(crate) struct GraphPathArgs {
    /// The capability where the path begins
    pub from: String,
    /// The capability where the path ends
    pub to: String,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan graph neighbors issue.view
  capstan graph neighbors issue.view --direction from --depth 2")]
pub(crate) struct GraphNeighborsArgs {
    /// The capability whose neighbors are shown
    pub capability: String,
    /// Follow only relations from it, or to it [default: both]
    #[arg(long, value_parser = direction_parser())]
    pub direction: Option<String>,
    /// Follow only this type
    #[arg(long = "type", value_name = "TYPE", value_parser = edge_kind_parser())]
    pub kind: Option<String>,
    /// Maximum distance in relations, up to 10 [default: 1]
    #[arg(long, value_name = "N")]
    pub depth: Option<u64>,
    /// Maximum number of results, up to 1000 [default: 50]
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
}
