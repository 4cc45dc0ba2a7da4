//! `capstan sim`: serves an offline GitHub for other programs.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Context as _;
use github_sim::Sim;
use serde_json::json;

use super::Context;
use crate::args::SimArgs;
use crate::exit::Exit;
use crate::output::{DIM, NAME};

pub(crate) async fn run(context: &Context, args: &SimArgs) -> anyhow::Result<Exit> {
    let printer = context.printer();
    let sim = Sim::demo();
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let server = sim
        .serve_tcp(address)
        .await
        .with_context(|| format!("cannot listen at port {}", args.port))?;
    let url = server.url();
    let _socket = match &args.socket {
        Some(path) => Some(
            sim.serve_unix(path)
                .await
                .with_context(|| format!("cannot listen at the socket `{}`", path.display()))?,
        ),
        None => None,
    };
    if printer.is_for_programs() {
        let mut addresses = json!({"url": url, "graphql_url": format!("{url}/graphql")});
        if let Some(socket) = &args.socket {
            addresses["socket"] = socket.display().to_string().into();
        }
        printer.json(&addresses)?;
    } else {
        printer.line(format_args!(
            "serving an offline GitHub with the organisation acme at {NAME}{url}{NAME:#}"
        ));
        printer.line(format_args!("{DIM}in another terminal:{DIM:#}"));
        printer.line(format_args!(
            "  export GITHUB_API_URL={url} GITHUB_TOKEN=any"
        ));
        printer.line("  capstan run issue.list -R acme/rocket --route graphql");
        printer.line(format_args!("{DIM}faults: curl -X POST {url}/_sim/faults -d '{{\"kind\":\"status_502_html\"}}'{DIM:#}"));
        printer.line(format_args!("{DIM}stop it with Ctrl-C{DIM:#}"));
    }
    tokio::signal::ctrl_c()
        .await
        .context("cannot wait for Ctrl-C")?;
    Ok(Exit::Ok)
}
