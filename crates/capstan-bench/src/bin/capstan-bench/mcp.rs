//! `mcp`: measures what one call over MCP costs, side by side with other servers.

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _, stdout};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use anyhow::Context as _;
use github_sim::Sim;
use serde::Deserialize;
use serde_json::{Value, json};

use capstan_bench::mcp::{CallCost, ServerCommand, measure};

use crate::args::McpArgs;

/// The description of another server, read from a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Peer {
    name: String,
    command: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    call: Value,
}

pub(crate) fn run(args: &McpArgs) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let simulator = runtime
        .block_on(Sim::demo().serve_tcp(address))
        .context("cannot start the simulator")?;
    let url = simulator.url();
    // The measured server gets its own home, to keep the user's data out of the measurement.
    let home = tempfile::tempdir().context("cannot make a temporary folder")?;
    let mut servers = vec![capstan(&args.capstan, &url, home.path())];
    for file in &args.peers {
        servers.push(peer(file, &url)?);
    }
    let costs = measure(&servers, args.rounds, args.calls)?;
    let text = if args.json || !stdout().is_terminal() {
        serde_json::to_string(&costs)?
    } else {
        table(&costs)
    };
    writeln!(stdout(), "{text}")?;
    Ok(())
}

fn capstan(program: &Path, url: &str, home: &Path) -> ServerCommand {
    let env = [
        ("XDG_DATA_HOME", home.display().to_string()),
        ("XDG_CONFIG_HOME", home.display().to_string()),
        ("GITHUB_API_URL", url.to_owned()),
        ("GITHUB_GRAPHQL_URL", format!("{url}/graphql")),
        ("GITHUB_TOKEN", "token-for-the-simulator".to_owned()),
    ];
    ServerCommand {
        name: "capstan".to_owned(),
        command: vec![program.display().to_string(), "mcp".to_owned()],
        env: env.map(|(name, value)| (name.to_owned(), value)).to_vec(),
        call: json!({
            "name": "execute",
            "arguments": {"lines": ["issue.view 1 -R acme/rocket"]},
        }),
    }
}

fn peer(file: &Path, url: &str) -> anyhow::Result<ServerCommand> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read `{shown}`"))?;
    let peer: Peer = serde_json::from_str(&text).with_context(|| format!("`{shown}` is wrong"))?;
    let filled = |text: String| text.replace("{url}", url);
    Ok(ServerCommand {
        name: peer.name,
        command: peer.command.into_iter().map(filled).collect(),
        env: peer
            .env
            .into_iter()
            .map(|(name, value)| (name, filled(value)))
            .collect(),
        call: peer.call,
    })
}

fn table(costs: &[CallCost]) -> String {
    let mut lines = vec![format!(
        "{:<20} {:>14} {:>19} {:>14}",
        "SERVER", "CPU PER CALL", "ROUNDS", "ANSWER AFTER"
    )];
    for cost in costs {
        let (lowest, highest) = cost.cpu_us_range;
        lines.push(format!(
            "{:<20} {:>11.0} us {:>16} us {:>11.0} us",
            cost.server,
            cost.cpu_us,
            format!("{lowest:.0} to {highest:.0}"),
            cost.latency_us
        ));
    }
    lines.join("\n")
}
