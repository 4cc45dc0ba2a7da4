//! `capstan mcp`: serves MCP on standard input and output.

use std::sync::Arc;

use anyhow::Context as _;
use capstan_server::mcp::{McpOptions, serve_stdio};

use super::Context;
use super::shutdown_signals::ShutdownSignals;
use crate::args::McpArgs;
use crate::exit::Exit;
use crate::input;

/// Serves until the client closes standard input, or until a signal. Running work is then cancelled and recorded.
pub(crate) async fn run(context: &Context, args: &McpArgs) -> anyhow::Result<Exit> {
    let repository = args
        .repo
        .as_deref()
        .map(input::parse_repository)
        .transpose()?;
    let context = context.with_repository(repository);
    let options = McpOptions {
        structured: args.structured,
        split: args.split,
        read_only: context.global.read_only || context.config()?.policy.read_only,
    };
    let engine = context.engine().await?;
    let mut signals = ShutdownSignals::listen().context("cannot listen for signals")?;
    let mut stopped = false;
    let served = serve_stdio(Arc::clone(&engine.capstan), options, async {
        signals.received().await;
        stopped = true;
    })
    .await;
    engine.shut_down().await;
    // Dropping the engine writes everything to the disk before the process exits.
    drop(engine);
    served?;
    if stopped {
        // If standard input is not a pipe, a thread still blocks on its next line, and returning from `main`
        // would wait for that thread.
        std::process::exit(0);
    }
    Ok(Exit::Ok)
}
