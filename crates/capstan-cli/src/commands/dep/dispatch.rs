//! From the parsed words to the action.

use super::{add, forget, list, rm, show, update};
use crate::args::DepCommand;
use crate::commands::Context;
use crate::commands::own::Own;
use crate::exit::Exit;

pub(in crate::commands) async fn run(
    context: &Context,
    command: &DepCommand,
) -> anyhow::Result<Exit> {
    let own = Own::start(context).await?;
    let exit = match command {
        DepCommand::Add(args) => add::run(&own, args).await,
        DepCommand::List(args) => list::run(&own, args).await,
        DepCommand::Show(args) => show::run(&own, args).await,
        DepCommand::Update(args) => update::run(&own, args).await,
        DepCommand::Rm(args) => rm::run(&own, args).await,
        DepCommand::Forget(args) => forget::run(&own, args).await,
    };
    // The name of a tool may have started its server.
    own.engine.leave().await;
    Ok(exit)
}
