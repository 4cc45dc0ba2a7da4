//! `search`: measures how often search finds the relevant documents.

use std::fs;
use std::io::{IsTerminal as _, Write as _, stdout};

use anyhow::Context as _;

use capstan_bench::{Corpus, GeneratedReport, Part, Source, evaluate};
use capstan_catalog::Catalog;
use capstan_embed::StaticModel;
use capstan_engine::built_in_documents;

use crate::args::SearchArgs;

pub(crate) fn run(args: &SearchArgs) -> anyhow::Result<()> {
    let mut corpus = match &args.data {
        Some(folder) => Corpus::public(folder)?,
        None => Corpus::default(),
    };
    let catalog = Catalog::new(&capstan_cards::CARDS);
    let own = Source::own(built_in_documents(&catalog))?;
    corpus.sources.insert(0, own);
    let report = evaluate(&corpus, &StaticModel::built_in())?;
    let generated = GeneratedReport::measure()?;
    let shown = args.part.unwrap_or(Part::Validation);
    if let Some(file) = &args.plot {
        fs::write(file, report.svg(shown))
            .with_context(|| format!("cannot write `{}`", file.display()))?;
    }
    let text = if args.json || !stdout().is_terminal() {
        let mut json = report.json(args.part);
        json["built_in"] = generated.json(args.part);
        serde_json::to_string(&json)?
    } else {
        let tables = [report.table(shown), generated.table(shown)];
        tables.join("\n").trim_end().to_owned()
    };
    writeln!(stdout(), "{text}")?;
    Ok(())
}
