//! One file for each command.

mod completions;
mod demo;
mod doctor;
mod explain;
mod list;
mod mcp;
mod run;
mod search;
pub(crate) mod setup;
mod sim;

use std::future::Future;
use std::io::IsTerminal as _;

use anyhow::Context as _;
use capstan_catalog::Catalog;
use capstan_core::{Redactor, ResultError};

use crate::args::{Cli, Command, Global};
use crate::config::Config;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::output::{Printer, print_diagnostics, print_error};
use crate::wiring;

/// What every command gets.
pub(crate) struct Context {
    pub global: Global,
    pub environment: Environment,
}

pub(crate) fn dispatch(cli: Cli, environment: Environment) -> anyhow::Result<Exit> {
    let context = Context {
        global: cli.global,
        environment,
    };
    match cli.command {
        Command::Run(args) => block_on(run::run(&context, &args)),
        Command::Explain(args) => explain::run(&context, &args),
        Command::List(args) => list::run(&context, &args),
        Command::Search(args) => search::run(&context, &args),
        Command::Doctor => block_on(doctor::run(&context)),
        Command::Demo => block_on(demo::run(&context)),
        Command::Sim(args) => block_on(sim::run(&context, &args)),
        Command::Mcp => block_on(serve_mcp(&context)),
        Command::Setup(args) => {
            let exe = std::env::current_exe().context("cannot tell where capstan is")?;
            let here = std::env::current_dir().context("cannot tell which folder this is")?;
            let mut said = Vec::new();
            let home = context.environment.home.clone();
            let done = setup::run(&args, &context.global.flags(), home, &here, &exe, &mut said);
            if !said.is_empty() {
                let said = String::from_utf8_lossy(&said);
                context.printer().line(said.trim_end());
            }
            done.map(|()| Exit::Ok)
        }
        Command::Completions { shell } => completions::run(&context, shell),
    }
}

async fn serve_mcp(context: &Context) -> anyhow::Result<Exit> {
    let config = context.config()?;
    context.start_logging();
    let wired = wiring::wire(
        &context.global,
        &config,
        &context.environment,
        context.catalog(&config),
    )
    .await?;
    mcp::run(wired.capstan).await?;
    Ok(Exit::Ok)
}

impl Context {
    pub(crate) fn config(&self) -> anyhow::Result<Config> {
        Config::load(self.global.config.as_deref(), &self.environment)
    }

    /// The catalogue; what is wrong with cards of the user's is said on standard error.
    pub(crate) fn catalog(&self, config: &Config) -> Catalog {
        let (catalog, diagnostics) = wiring::catalog(&self.global, config);
        print_diagnostics(&diagnostics, &self.redactor());
        catalog
    }

    pub(crate) fn redactor(&self) -> Redactor {
        Redactor::new(self.environment.secrets())
    }

    pub(crate) fn printer(&self) -> Printer {
        Printer::new(self.global.json, self.redactor()).with_flags(&self.global.flags())
    }

    /// Logs go to standard error, and only when asked for with `CAPSTAN_LOG`.
    pub(crate) fn start_logging(&self) {
        if let Some(filter) = &self.environment.log {
            let redactor = self.redactor();
            let filter = match tracing_subscriber::EnvFilter::builder().parse(filter) {
                Ok(filter) => filter,
                Err(cause) => {
                    let cause = anyhow::Error::new(cause);
                    print_error(
                        &cause.context("CAPSTAN_LOG is not understood, so nothing is logged"),
                    );
                    return;
                }
            };
            let writer = move || crate::output::RedactedStderr::new(redactor.clone());
            // A second call would fail; the first one's settings then stay.
            let _ = tracing_subscriber::fmt()
                .with_env_filter(filter)
                .with_ansi(std::io::stderr().is_terminal())
                .with_writer(writer)
                .try_init();
        }
    }
}

/// Prints an error of the engine the way a failed run is printed.
pub(crate) fn failed(printer: &Printer, error: &ResultError) -> anyhow::Result<Exit> {
    match printer.is_machine() {
        true => printer.json(&serde_json::json!({"ok": false, "error": error}))?,
        false => printer.error(error),
    }
    Ok(error.into())
}

fn block_on<T>(future: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime
        .context("cannot start the runtime")?
        .block_on(future)
}
