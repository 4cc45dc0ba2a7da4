//! Arguments of `capstan trace`.

use clap::{Args, Subcommand};

/// List, show and prune traces of past executions
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  capstan trace list --failed --limit 5
  capstan trace show last
  capstan trace show TRACE

Exit codes: 0 ok, 1 failed, 2 wrong usage or input")]
pub(crate) enum TraceCommand {
    /// List traces, newest first
    List(TraceListArgs),
    /// Show the calls of one execution as a timeline
    Show(TraceShowArgs),
    /// Delete all traces but the newest
    Prune(TracePruneArgs),
}

#[derive(Debug, Args)]
pub(crate) struct TraceListArgs {
    /// List only executions that ran or called this capability
    #[arg(long, value_name = "ID")]
    pub capability: Option<String>,
    /// List only failures
    #[arg(long, conflicts_with = "ok")]
    pub failed: bool,
    /// List only successes
    #[arg(long)]
    pub ok: bool,
    /// Maximum number of results
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// List only traces older than this one
    #[arg(long, value_name = "TRACE")]
    pub before: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct TraceShowArgs {
    /// Id of the trace or the beginning of it; `last` is the newest
    pub id: String,
}

#[derive(Debug, Args)]
pub(crate) struct TracePruneArgs {
    /// Number of traces to keep
    #[arg(long, value_name = "N")]
    pub keep: u64,
}
