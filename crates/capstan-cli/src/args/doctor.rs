//! The words of `doctor`.

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Each route makes one cheap request with your token, at most two if the token belongs to no user.

Examples:
  capstan doctor --demo
  capstan doctor --demo --offline
  capstan doctor --demo --json

Exit codes: 0 a route is ready, 1 none is (no network, GitHub fails), 4 none is, for lack of a valid token")]
pub(crate) struct DoctorArgs {
    /// Send nothing to GitHub: whether the token is valid stays open
    #[arg(long)]
    pub offline: bool,
}
