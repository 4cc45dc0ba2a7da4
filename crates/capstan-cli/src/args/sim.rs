//! Arguments of `capstan sim`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct SimArgs {
    /// Port to listen at; 0 picks a free port
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// Also listen at a Unix socket, for the real gh (http_unix_socket)
    #[arg(long, value_name = "PATH")]
    pub socket: Option<PathBuf>,
}
