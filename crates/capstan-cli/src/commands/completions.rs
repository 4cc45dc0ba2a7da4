//! `capstan completions`: prints a completion script for a shell, with the ids of the built-in capabilities.

use capstan_catalog::Catalog;
use capstan_engine::list_built_in;
use clap::CommandFactory as _;
use clap::builder::PossibleValuesParser;

use super::Context;
use crate::args::Cli;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, shell: clap_complete::Shell) -> anyhow::Result<Exit> {
    let catalog = Catalog::new(&capstan_cards::CARDS);
    let known = list_built_in(&catalog).into_iter().map(|hit| hit.id);
    // Only their ids are read.
    let generated = capstan_cards::GENERATED.iter().map(|card| card.id);
    // clap wants `&'static str`. Leaking is fine: the program ends right after this.
    let known = known.map(|id| &*id.leak());
    let mut ids: Vec<&'static str> = known.chain(generated).collect();
    ids.sort_unstable();
    let with_ids = |command: clap::Command| {
        let parser = PossibleValuesParser::new(ids.clone());
        command.mut_arg("capability", |arg| arg.value_parser(parser))
    };
    let mut command = Cli::command()
        .mut_subcommand("run", with_ids)
        .mut_subcommand("explain", with_ids);
    // The script is generated in memory, because the generator panics if standard output is closed.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "capstan", &mut script);
    context
        .printer()
        .line(String::from_utf8(script)?.trim_end());
    Ok(Exit::Ok)
}
