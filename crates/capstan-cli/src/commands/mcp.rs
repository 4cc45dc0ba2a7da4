//! `capstan mcp`: the MCP server on standard input and output.

use std::sync::Arc;

use anyhow::Context as _;
use capstan_server::mcp::{McpOptions, serve_stdio};

use super::stop::Stop;
use super::{Context, leave};
use crate::args::McpArgs;
use crate::exit::Exit;
use crate::{input, wiring};

/// Serves until the client closes its end, or until the process is asked to stop; work that is
/// under way is then stopped, not abandoned.
pub(crate) async fn run(context: &Context, args: &McpArgs) -> anyhow::Result<Exit> {
    let config = context.config()?;
    let mut global = context.global.clone();
    global.repository = args.repo.as_deref().map(input::repository).transpose()?;
    let options = McpOptions {
        structured: args.structured,
        split: args.split,
        read_only: global.read_only || config.policy.read_only,
    };
    context.start_logging();
    let catalog = context.catalog(&config);
    let wired = wiring::wire(&global, &config, &context.environment, catalog).await?;
    let mut stop = Stop::listen().context("cannot listen for signals")?;
    let mut stopped = false;
    let served = serve_stdio(Arc::clone(&wired.capstan), options, async {
        stop.asked().await;
        stopped = true;
    })
    .await;
    leave(&wired.capstan).await;
    // What was to be remembered is on the disk before this process ends.
    drop(wired);
    served?;
    if stopped {
        // Where standard input is no pipe, a thread still waits for its next line; leaving in the
        // ordinary way would wait for that thread.
        std::process::exit(0);
    }
    Ok(Exit::Ok)
}
