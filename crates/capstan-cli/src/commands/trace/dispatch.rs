//! From the parsed words to the action.

use super::{list, prune, show};
use crate::args::TraceCommand;
use crate::commands::Context;
use crate::commands::own::Own;
use crate::exit::Exit;

pub(in crate::commands) async fn run(
    context: &Context,
    command: &TraceCommand,
) -> anyhow::Result<Exit> {
    let own = Own::start(context).await?;
    Ok(match command {
        TraceCommand::List(args) => list::run(&own, args).await,
        TraceCommand::Show(args) => show::run(&own, args).await,
        TraceCommand::Prune(args) => prune::run(&own, args).await,
    })
}
