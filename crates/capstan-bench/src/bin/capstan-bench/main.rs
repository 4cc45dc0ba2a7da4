//! Measures Capstan with data. A tool for those who work on it; it is not part of the `capstan` binary.

mod args;
mod mcp;
mod search;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

use args::{Cli, Command};

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Search(args) => search::run(&args),
        Command::Mcp(args) => mcp::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to hear of a failure to say this.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}
