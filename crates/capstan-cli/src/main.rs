//! The `capstan` binary: the only place where everything is wired together.

mod args;
mod chain_file;
mod commands;
mod config;
mod demo_world;
mod environment;
mod error_pages;
mod exit;
mod git;
mod input;
mod output;
mod wiring;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let environment = environment::Environment::read();
    output::guard_panics(&environment);
    let cli = match args::Cli::try_parse() {
        Ok(cli) => cli,
        Err(usage) => return output::print_usage(&usage, &environment),
    };
    match commands::dispatch(cli, environment) {
        Ok(exit) => match output::check_output() {
            Ok(()) => exit.into(),
            Err(error) => {
                output::print_error(&error);
                exit::Exit::Failed.into()
            }
        },
        Err(error) => {
            output::print_error(&error);
            exit::Exit::Usage.into()
        }
    }
}
