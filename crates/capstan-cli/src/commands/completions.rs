//! `capstan completions`: for the shell, with the ids of the capabilities that are always there.

use capstan_catalog::Catalog;
use capstan_engine::list_built_in;
use clap::CommandFactory as _;
use clap::builder::PossibleValuesParser;

use super::Context;
use crate::args::Cli;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, shell: clap_complete::Shell) -> anyhow::Result<Exit> {
    let catalog = Catalog::new(capstan_cards::CARDS);
    let known = list_built_in(&catalog);
    // The words of a command line live as long as the program, which is over soon.
    let ids: Vec<&'static str> = known.into_iter().map(|hit| &*hit.id.leak()).collect();
    let with_ids = |command: clap::Command| {
        let ids = PossibleValuesParser::new(ids.clone());
        command.mut_arg("capability", |arg| arg.value_parser(ids))
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
