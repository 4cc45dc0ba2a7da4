//! `capstan completions`: for the shell, with the ids of the capabilities.

use clap::CommandFactory as _;
use clap::builder::PossibleValuesParser;

use super::Context;
use crate::args::Cli;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, shell: clap_complete::Shell) -> anyhow::Result<Exit> {
    let with_ids = |command: clap::Command| {
        command.mut_arg("capability", |arg| {
            arg.value_parser(PossibleValuesParser::new(
                capstan_cards::CARDS.iter().map(|card| card.id),
            ))
        })
    };
    let mut command = Cli::command()
        .mut_subcommand("run", with_ids)
        .mut_subcommand("explain", with_ids);
    // Into memory first: the generator panics when its reader goes away.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "capstan", &mut script);
    let script = String::from_utf8(script)?;
    context.printer().line(script.trim_end());
    Ok(Exit::Ok)
}
