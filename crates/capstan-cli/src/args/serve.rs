//! The words of `serve`.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
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

Exit codes: 0 it was stopped, 2 wrong usage, or it cannot listen there, 128 and the signal's number
if it was told a second time")]
pub(crate) struct ServeArgs {
    /// Where to listen; port 0 picks a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7717", value_parser = address)]
    pub addr: SocketAddr,
    /// Ask callers for the token in this file
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// A name by which callers call this server, beside its address; with a port only there
    #[arg(long, value_name = "HOST[:PORT]", value_parser = host)]
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

/// As it stands in `Host`: what fits nothing there would let nobody in.
fn host(text: &str) -> Result<String, String> {
    let (name, port) = match text.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, Some(port)),
        _ => (text, None),
    };
    let address = name.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let is_name = |name: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        !name.is_empty() && name.chars().all(plain)
    };
    let is_host = match address {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => is_name(name),
    };
    if is_host && port.is_none_or(|port| port.parse::<u16>().is_ok()) {
        Ok(text.to_owned())
    } else {
        Err("expected a host, such as capstan.example.org, or host:port".to_owned())
    }
}
