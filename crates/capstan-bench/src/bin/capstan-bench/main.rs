//! Measures Capstan with test data. A tool for developers; it is not part of the `capstan` binary.

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
            // If writing this message fails, nobody is there to read another one.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}
