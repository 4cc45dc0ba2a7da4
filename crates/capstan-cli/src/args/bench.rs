//! The words of `bench`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args, Subcommand};

use capstan_bench::Part;

/// Measures Capstan with data.
#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// How often search finds what was meant: by words, by meaning, and by both
    Search(BenchSearchArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Without --data only the built-in catalogue is searched, with queries that were written without
looking at its words. DIR has `tools.jsonl` (id, source, name, description, params) and
`queries.jsonl` (id, source, query, relevant, mode any|all). Queries are cut into two halves by a
hash of their ids: what search was tuned with, and what it is judged with.

Examples:
  capstan bench search
  capstan bench search --data DIR --plot search.svg
  capstan bench search --data DIR --part all --json")]
pub(crate) struct BenchSearchArgs {
    /// A folder with tools and queries
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Which queries count [default: validation; in JSON each part by itself]
    #[arg(long, value_parser = parts())]
    pub part: Option<Part>,
    /// Draw the recall among the first five into an SVG file
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
}

fn parts() -> impl clap::builder::TypedValueParser<Value = Part> {
    PossibleValuesParser::new(Part::EACH.map(Part::name)).try_map(|word| word.parse::<Part>())
}
