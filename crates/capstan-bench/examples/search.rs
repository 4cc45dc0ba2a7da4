//! Measures search on a folder of public data.

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::path::Path;

use capstan_bench::{BenchError, Corpus, Part, evaluate};
use capstan_embed::StaticModel;

fn main() -> Result<(), BenchError> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let mut corpus = Corpus::public(Path::new(&folder))?;
    let only: Vec<String> = std::env::args().skip(2).collect();
    if !only.is_empty() {
        corpus.sources.retain(|it| only.contains(&it.name));
    }
    let report = evaluate(&corpus, &StaticModel::built_in())?;
    for part in Part::EACH {
        println!("{}", report.table(part));
    }
    Ok(())
}
