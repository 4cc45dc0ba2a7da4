//! Runs the subcommand of `capstan cards` that the arguments name.

use super::import::{self, Format};
use crate::args::{CardsCommand, CardsImportCommand};
use crate::commands::Context;
use crate::exit::Exit;

pub(in crate::commands) async fn run(
    context: &Context,
    command: &CardsCommand,
) -> anyhow::Result<Exit> {
    match command {
        CardsCommand::Import(CardsImportCommand::Openapi(args)) => {
            import::run(context, args, Format::Openapi).await
        }
        CardsCommand::Import(CardsImportCommand::Graphql(args)) => {
            import::run(context, args, Format::Graphql).await
        }
    }
}
