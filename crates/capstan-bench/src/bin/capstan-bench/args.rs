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
    /// What one call over MCP costs: processor time of the server, and time until the answer
    Mcp(McpArgs),
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

#[derive(Debug, Args)]
#[command(after_help = "\
Every server is started once and called in turns, against a simulator in this process that only
listens on this machine. CAPSTAN is measured with `execute` and one line, as an agent sends it.

A peer is a file with one JSON object: name, command (a list), env (an object), call (the parameters
of `tools/call`). `{url}` in command and env is the address of the simulator.

Examples:
  cargo build --release --package capstan-cli
  capstan-bench mcp --capstan target/release/capstan
  capstan-bench mcp --capstan target/release/capstan --peer peer.json --json")]
pub(crate) struct McpArgs {
    /// The `capstan` binary to measure
    #[arg(long, value_name = "FILE", default_value = "target/release/capstan")]
    pub(crate) capstan: PathBuf,
    /// Another server to measure in the same run
    #[arg(long = "peer", value_name = "FILE")]
    pub(crate) peers: Vec<PathBuf>,
    /// How often each server gets its turn
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) rounds: u32,
    /// Calls of each turn
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) calls: u32,
    /// The port of the simulator [default: any free one]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    /// Print JSON, on a terminal too
    #[arg(long)]
    pub(crate) json: bool,
}

fn parts() -> impl TypedValueParser<Value = Part> {
    PossibleValuesParser::new(Part::EACH.map(Part::name)).try_map(|word| word.parse::<Part>())
}
