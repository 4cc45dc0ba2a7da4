//! The words of `sim`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct SimArgs {
    /// The port; 0 picks a free one
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// Serve on a Unix socket too, for the real gh (http_unix_socket)
    #[arg(long, value_name = "PATH")]
    pub socket: Option<PathBuf>,
}
