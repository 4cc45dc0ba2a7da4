//! Arguments of `capstan serve`.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;

use clap::Args;

/// Serve relations, the graph and search over HTTP
#[derive(Debug, Args)]
#[command(after_help = "\
GET / lists the resources.

Anyone who can reach the address can use it. To listen for other machines, set a token with
--token-file or CAPSTAN_TOKEN. Callers then send `Authorization: Bearer TOKEN`.

Examples:
  capstan serve
  capstan serve --addr 0.0.0.0:7717 --token-file token.txt --allow-host capstan.example.org

Exit codes: 0 stopped, 2 wrong usage or cannot listen at the address, 128 plus the signal number
if a second signal stops it")]
pub(crate) struct ServeArgs {
    /// Address to listen at; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7717", value_parser = parse_address)]
    pub addr: SocketAddr,
    /// Require the token in this file from callers
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Accept this host name in addition to the address; with a port, only at that port
    #[arg(long, value_name = "HOST[:PORT]", value_parser = parse_host)]
    pub allow_host: Vec<String>,
}

/// Parses an IP address with a port, or `localhost` with a port, which means 127.0.0.1.
fn parse_address(text: &str) -> Result<SocketAddr, String> {
    let localhost = |text: &str| {
        let port = text.strip_prefix("localhost:")?.parse::<u16>().ok()?;
        Some(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
    };
    let address = text.parse().ok().or_else(|| localhost(text));
    address.ok_or_else(|| "expected an address and a port, such as 127.0.0.1:7717".to_owned())
}

/// Checks that `text` can occur in a `Host` header: any other value would match no request.
fn parse_host(text: &str) -> Result<String, String> {
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
