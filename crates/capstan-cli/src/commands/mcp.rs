//! `capstan mcp`: the MCP server on standard input and output.

use std::sync::Arc;

use anyhow::Context as _;
use capstan_server::mcp::{McpOptions, serve_stdio};

use super::Context;
use super::stop::Stop;
use crate::args::McpArgs;
use crate::exit::Exit;
use crate::input;

/// Serves until the client closes its end, or until the process is asked to stop; work that is
/// under way is then stopped, not abandoned.
pub(crate) async fn run(context: &Context, args: &McpArgs) -> anyhow::Result<Exit> {
    let repository = args.repo.as_deref().map(input::repository).transpose()?;
    let context = context.with_repository(repository);
    let options = McpOptions {
        structured: args.structured,
        split: args.split,
        read_only: context.global.read_only || context.config()?.policy.read_only,
    };
    let engine = context.engine().await?;
    let mut stop = Stop::listen().context("cannot listen for signals")?;
    let mut stopped = false;
    let served = serve_stdio(Arc::clone(&engine.capstan), options, async {
        stop.asked().await;
        stopped = true;
    })
    .await;
    engine.leave().await;
    // What was to be remembered is on the disk before this process ends.
    drop(engine);
    served?;
    if stopped {
        // Where standard input is no pipe, a thread still waits for its next line; leaving in the
        // ordinary way would wait for that thread.
        std::process::exit(0);
    }
    Ok(Exit::Ok)
}
