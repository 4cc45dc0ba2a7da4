//! Runs the subcommand of `capstan cap` that the arguments name.

use super::{alias, delete, export, import, list, lookup, merge, name, rename, share, show};
use crate::args::CapCommand;
use crate::commands::Context;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;

pub(in crate::commands) async fn run(
    context: &Context,
    command: &CapCommand,
) -> anyhow::Result<Exit> {
    // The file is read before the engine starts, so that a bad file fails at once.
    if let CapCommand::Import(args) = command {
        return import::run(context, args).await;
    }
    let runner = SystemRunner::start(context).await?;
    match command {
        CapCommand::List(args) => Ok(list::run(&runner, args).await),
        CapCommand::Show(args) => Ok(show::run(&runner, args).await),
        CapCommand::Name(args) => Ok(name::run(&runner, args).await),
        CapCommand::Rename(args) => Ok(rename::run(&runner, args).await),
        CapCommand::Alias(args) => Ok(alias::run(&runner, args).await),
        CapCommand::Share(args) => Ok(share::run(&runner, args).await),
        CapCommand::Lookup(args) => Ok(lookup::run(&runner, args).await),
        CapCommand::Merge(args) => Ok(merge::run(&runner, args).await),
        CapCommand::Delete(args) => delete::run(&runner, args).await,
        CapCommand::Export(args) => export::run(&runner, args).await,
        CapCommand::Import(args) => import::run(context, args).await,
    }
}
