//! `capstan completions`: for the shell, with the ids of the capabilities.

use clap::CommandFactory as _;
use clap::builder::PossibleValuesParser;

use crate::args::Cli;
use crate::exit::Exit;

pub(crate) fn run(shell: clap_complete::Shell) -> anyhow::Result<Exit> {
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
    clap_complete::generate(shell, &mut command, "capstan", &mut std::io::stdout());
    Ok(Exit::Ok)
}
