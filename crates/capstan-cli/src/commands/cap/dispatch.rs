//! From the parsed words to the action.

use super::{alias, delete, export, import, list, lookup, merge, name, rename, share, show};
use crate::args::CapCommand;
use crate::commands::Context;
use crate::commands::own::Own;
use crate::exit::Exit;

pub(in crate::commands) async fn run(
    context: &Context,
    command: &CapCommand,
) -> anyhow::Result<Exit> {
    // Read before anything is started: it may be wrong.
    if let CapCommand::Import(args) = command {
        return import::run(context, args).await;
    }
    let own = Own::start(context).await?;
    match command {
        CapCommand::List(args) => Ok(list::run(&own, args).await),
        CapCommand::Show(args) => Ok(show::run(&own, args).await),
        CapCommand::Name(args) => Ok(name::run(&own, args).await),
        CapCommand::Rename(args) => Ok(rename::run(&own, args).await),
        CapCommand::Alias(args) => Ok(alias::run(&own, args).await),
        CapCommand::Share(args) => Ok(share::run(&own, args).await),
        CapCommand::Lookup(args) => Ok(lookup::run(&own, args).await),
        CapCommand::Merge(args) => Ok(merge::run(&own, args).await),
        CapCommand::Delete(args) => delete::run(&own, args).await,
        CapCommand::Export(args) => export::run(&own, args).await,
        CapCommand::Import(args) => import::run(context, args).await,
    }
}
