//! Arguments of `capstan doctor`.

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Each route sends one cheap request with your token, or two if the token belongs to an app.

Examples:
  capstan doctor --demo
  capstan doctor --demo --offline
  capstan doctor --demo --json

Exit codes: 0 a route is ready, 1 no route is ready (no network, GitHub fails), 4 no route has a
valid token")]
pub(crate) struct DoctorArgs {
    /// Send nothing to GitHub; the token is not checked
    #[arg(long)]
    pub offline: bool,
}
