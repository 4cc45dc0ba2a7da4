//! `capstan bench`: measures Capstan with data.

use anyhow::Context as _;
use capstan_bench::{Corpus, Part, Source, evaluate};
use capstan_embed::StaticModel;
use capstan_engine::built_in_documents;

use super::Context;
use crate::args::{BenchCommand, BenchSearchArgs};
use crate::exit::Exit;
use crate::new_file;

pub(crate) fn run(context: &Context, command: &BenchCommand) -> anyhow::Result<Exit> {
    match command {
        BenchCommand::Search(args) => search(context, args),
    }
}

fn search(context: &Context, args: &BenchSearchArgs) -> anyhow::Result<Exit> {
    let printer = context.printer();
    let catalog = context.catalog()?;
    let mut corpus = match &args.data {
        Some(folder) => Corpus::public(folder)?,
        None => Corpus::default(),
    };
    let own = Source::own(built_in_documents(&catalog))?;
    corpus.sources.insert(0, own);
    let shown = args.part.unwrap_or(Part::Validation);
    let report = evaluate(&corpus, &StaticModel::built_in())?;
    if let Some(file) = &args.plot {
        new_file::replace(file, &report.svg(shown))
            .with_context(|| format!("cannot write `{}`", file.display()))?;
    }
    match printer.is_machine() {
        true => printer.json(&report.json(args.part))?,
        false => printer.line(report.table(shown).trim_end()),
    }
    Ok(Exit::Ok)
}
