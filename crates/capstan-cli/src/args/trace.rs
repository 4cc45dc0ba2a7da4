//! The words of `trace`.

use clap::{Args, Subcommand};

/// What was executed.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  capstan trace list --failed --limit 5
  capstan trace show last
  capstan trace show TRACE

Exit codes: 0 ok, 1 failed, 2 wrong usage or input")]
pub(crate) enum TraceCommand {
    /// List what was executed, newest first
    List(TraceListArgs),
    /// Show what one execution called, when, and what came of it
    Show(TraceShowArgs),
    /// Forget all but the newest
    Prune(TracePruneArgs),
}

#[derive(Debug, Args)]
pub(crate) struct TraceListArgs {
    /// Only those that ran or called this capability
    #[arg(long, value_name = "ID")]
    pub capability: Option<String>,
    /// Only failures
    #[arg(long, conflicts_with = "ok")]
    pub failed: bool,
    /// Only successes
    #[arg(long)]
    pub ok: bool,
    /// How many at most
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// Only those older than this one
    #[arg(long, value_name = "TRACE")]
    pub before: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct TraceShowArgs {
    /// Its id, or the beginning of it; `last` is the newest
    pub id: String,
}

#[derive(Debug, Args)]
pub(crate) struct TracePruneArgs {
    /// How many stay
    #[arg(long, value_name = "N")]
    pub keep: u64,
}
