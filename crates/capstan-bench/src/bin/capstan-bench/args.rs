//! The command line.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};

use capstan_bench::Part;

/// Measures Capstan with data
#[derive(Debug, Parser)]
#[command(name = "capstan-bench", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// How often search finds what was meant: by words, by meaning, and by both
    Search(SearchArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Without --data only the built-in catalogue is searched, with queries that were written without
looking at its words. DIR has `tools.jsonl` (id, source, name, description, params) and
`queries.jsonl` (id, source, query, relevant, mode any|all). Queries are cut into two halves by a
hash of their ids: what search was tuned with, and what it is judged with.

Examples:
  capstan-bench search
  capstan-bench search --data DIR --plot search.svg
  capstan-bench search --data DIR --part all --json")]
pub(crate) struct SearchArgs {
    /// A folder with tools and queries
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Which queries count [default: validation; in JSON each part by itself]
    #[arg(long, value_parser = parts())]
    pub(crate) part: Option<Part>,
    /// Draw the recall among the first five into an SVG file
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// Print JSON, on a terminal too
    #[arg(long)]
    pub(crate) json: bool,
}

fn parts() -> impl TypedValueParser<Value = Part> {
    PossibleValuesParser::new(Part::EACH.map(Part::name)).try_map(|word| word.parse::<Part>())
}
