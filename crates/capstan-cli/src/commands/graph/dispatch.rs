//! From the parsed words to the action.

use super::{neighbors, path, snapshot};
use crate::args::GraphCommand;
use crate::commands::Context;
use crate::commands::own::Own;
use crate::exit::Exit;

pub(in crate::commands) async fn run(
    context: &Context,
    command: &GraphCommand,
) -> anyhow::Result<Exit> {
    let own = Own::start(context).await?;
    let exit = match command {
        GraphCommand::Snapshot(args) => snapshot::run(&own, args).await,
        GraphCommand::Path(args) => path::run(&own, args).await,
        GraphCommand::Neighbors(args) => neighbors::run(&own, args).await,
    };
    own.engine.leave().await;
    Ok(exit)
}
