//! Runs the subcommand of `capstan dep` that the arguments name.

use super::{add, forget, list, rm, show, update};
use crate::args::DepCommand;
use crate::commands::Context;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;

pub(in crate::commands) async fn run(
    context: &Context,
    command: &DepCommand,
) -> anyhow::Result<Exit> {
    let runner = SystemRunner::start(context).await?;
    let exit = match command {
        DepCommand::Add(args) => add::run(&runner, args).await,
        DepCommand::List(args) => list::run(&runner, args).await,
        DepCommand::Show(args) => show::run(&runner, args).await,
        DepCommand::Update(args) => update::run(&runner, args).await,
        DepCommand::Rm(args) => rm::run(&runner, args).await,
        DepCommand::Forget(args) => forget::run(&runner, args).await,
    };
    // Resolving the name of a tool may have started its server.
    runner.engine.shut_down().await;
    Ok(exit)
}
