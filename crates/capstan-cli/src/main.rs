//! The `capstan` binary: the only place where everything is wired together.

mod args;
mod atomic_file;
mod chain_file;
mod commands;
mod config;
mod demo_server;
mod environment;
mod error_pages;
mod exit;
mod git;
mod input;
mod input_file;
mod interrupt;
mod output;
mod wiring;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    // Workers of the sandbox branch off first: their memory must not contain secrets, and they must start fast.
    let role = std::env::args_os().nth(1);
    if role.is_some_and(|role| role == capstan_sandbox::WORKER_ARGUMENT) {
        capstan_sandbox::worker_main();
    }
    let environment = environment::Environment::read();
    output::install_panic_hook(&environment);
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
