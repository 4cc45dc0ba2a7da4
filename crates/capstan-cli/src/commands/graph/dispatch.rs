//! Runs the subcommand of `capstan graph` that the arguments name.

use super::{neighbors, path, snapshot};
use crate::args::GraphCommand;
use crate::commands::Context;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;

pub(in crate::commands) async fn run(
    context: &Context,
    command: &GraphCommand,
) -> anyhow::Result<Exit> {
    let runner = SystemRunner::start(context).await?;
    let exit = match command {
        GraphCommand::Snapshot(args) => snapshot::run(&runner, args).await,
        GraphCommand::Path(args) => path::run(&runner, args).await,
        GraphCommand::Neighbors(args) => neighbors::run(&runner, args).await,
    };
    runner.engine.shut_down().await;
    Ok(exit)
}
