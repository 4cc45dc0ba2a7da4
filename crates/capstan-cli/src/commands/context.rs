//! What every command gets: the global flags, the environment, and what is made of them.

use std::io::IsTerminal as _;

use capstan_catalog::Catalog;
use capstan_core::{Redactor, ResultError};
use capstan_engine::Capstan;

use crate::args::Global;
use crate::config::Config;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::output::{Printer, RedactedStderr, print_diagnostics, print_error, warn};
use crate::wiring;

pub(crate) struct Context {
    pub global: Global,
    pub environment: Environment,
}

impl Context {
    pub(crate) fn config(&self) -> anyhow::Result<Config> {
        Config::load(self.global.config.as_deref(), &self.environment)
    }

    /// The catalogue; what is wrong with cards of the user's is said on standard error.
    pub(crate) fn catalog(&self, config: &Config) -> Catalog {
        let (catalog, diagnostics) = wiring::catalog(&self.global, config, &self.environment);
        print_diagnostics(&diagnostics, &self.redactor());
        catalog
    }

    /// The repository that is meant where none is named.
    pub(crate) fn repository_here(&self, config: &Config) -> Option<(String, String)> {
        wiring::default_repository(&self.global, config, &self.environment).get()
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
            let writer = move || RedactedStderr::new(redactor.clone());
            // A second call would fail; the first one's settings then stay.
            let _ = tracing_subscriber::fmt()
                .with_env_filter(filter)
                .with_ansi(std::io::stderr().is_terminal())
                .with_writer(writer)
                .try_init();
        }
    }
}

/// Learns from what was done, and ends the servers that were started on the way, politely.
pub(crate) async fn leave(capstan: &Capstan) {
    for warning in capstan.discovery().learn_from_this().await {
        warn(&warning, capstan.redactor());
    }
    if let Some(tools) = &capstan.services().tools {
        tools.stop().await;
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
