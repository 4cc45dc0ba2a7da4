//! The words of `serve`.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::Args;

/// How capabilities are related, over HTTP.
#[derive(Debug, Args)]
#[command(after_help = "\
GET / says what can be asked for.

Who can reach the address can use it. Other machines can only where a token is asked for: from a
file, or from the variable CAPSTAN_TOKEN. Callers then send `Authorization: Bearer TOKEN`.

Examples:
  capstan serve
  capstan serve --addr 0.0.0.0:7717 --token-file token.txt --allow-host capstan.example.org

Exit codes: 0 it was stopped, 2 wrong usage, or it cannot listen there")]
pub(crate) struct ServeArgs {
    /// Where to listen; port 0 picks a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7717", value_parser = address)]
    pub addr: SocketAddr,
    /// Ask callers for the token in this file
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// A name by which callers call this server, beside its address
    #[arg(long, value_name = "NAME")]
    pub allow_host: Vec<String>,
}

fn address(text: &str) -> Result<SocketAddr, String> {
    let of_this_machine = |text: &str| {
        let port = text.strip_prefix("localhost:")?.parse::<u16>().ok()?;
        Some(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
    };
    let read = text.parse().ok().or_else(|| of_this_machine(text));
    read.ok_or_else(|| "expected an address and a port, such as 127.0.0.1:7717".to_owned())
}
