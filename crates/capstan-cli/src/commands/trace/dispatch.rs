//! Runs the subcommand of `capstan trace` that the arguments name.

use super::{list, prune, show};
use crate::args::TraceCommand;
use crate::commands::Context;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;

pub(in crate::commands) async fn run(
    context: &Context,
    command: &TraceCommand,
) -> anyhow::Result<Exit> {
    let runner = SystemRunner::start(context).await?;
    Ok(match command {
        TraceCommand::List(args) => list::run(&runner, args).await,
        TraceCommand::Show(args) => show::run(&runner, args).await,
        TraceCommand::Prune(args) => prune::run(&runner, args).await,
    })
}
