//! What every command gets: the global flags, the environment, and what is made of them.

use std::cell::OnceCell;
use std::io::IsTerminal as _;
use std::path::PathBuf;

use capstan_catalog::Catalog;
use capstan_core::{Diagnostic, Redactor, ResultError};
use capstan_engine::Capstan;

use super::dispatch::block_on;
use crate::args::Global;
use crate::config::Config;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::output::{Printer, RedactedStderr, print_diagnostics, print_error};
use crate::wiring::{self, Engine};

/// The flags and the environment, and everything that follows from them. Each thing is made when it is first asked
/// for, so a command reads, opens and connects to nothing that it does not need.
pub(crate) struct Context {
    pub global: Global,
    pub environment: Environment,
    config: OnceCell<Config>,
    logging: OnceCell<()>,
}

impl Context {
    pub(crate) fn new(global: Global, environment: Environment) -> Self {
        Self {
            global,
            environment,
            config: OnceCell::new(),
            logging: OnceCell::new(),
        }
    }

    /// Returns the same with a configuration that no file is read for.
    pub(crate) fn with_config(self, config: Config) -> Self {
        Self {
            config: OnceCell::from(config),
            ..self
        }
    }

    /// Returns the same with the repository of calls that name none.
    pub(crate) fn with_repository(&self, repository: Option<(String, String)>) -> Self {
        let global = Global {
            repository,
            ..self.global.clone()
        };
        Self::new(global, self.environment.clone())
    }

    /// Returns the configuration, which is read once.
    pub(crate) fn config(&self) -> anyhow::Result<&Config> {
        if let Some(config) = self.config.get() {
            return Ok(config);
        }
        let config = Config::load(self.global.config.as_deref(), &self.environment)?;
        Ok(self.config.get_or_init(|| config))
    }

    /// Returns the catalogue, and prints what is wrong with the user's cards.
    pub(crate) fn catalog(&self) -> anyhow::Result<Catalog> {
        let (catalog, diagnostics) = self.catalog_with_diagnostics()?;
        print_diagnostics(&diagnostics, &self.redactor());
        Ok(catalog)
    }

    /// Returns the catalogue with everything that is wrong with the user's cards, and prints nothing.
    pub(crate) fn catalog_with_diagnostics(&self) -> anyhow::Result<(Catalog, Vec<Diagnostic>)> {
        let config = self.config()?;
        Ok(wiring::catalog(&self.global, config, &self.environment))
    }

    /// Returns an engine that is ready to run everything in the catalogue.
    pub(crate) async fn engine(&self) -> anyhow::Result<Engine> {
        self.engine_with(self.catalog()?).await
    }

    /// Returns an engine for a catalogue that was made before.
    pub(crate) async fn engine_with(&self, catalog: Catalog) -> anyhow::Result<Engine> {
        self.start_logging();
        wiring::wire(&self.global, self.config()?, &self.environment, catalog).await
    }

    /// Waits for work that needs an engine, and takes leave of the engine: for commands that mostly need none.
    pub(crate) fn with_engine<T>(
        &self,
        catalog: Catalog,
        work: impl AsyncFnOnce(&Capstan) -> T,
    ) -> anyhow::Result<T> {
        block_on(async {
            let engine = self.engine_with(catalog).await?;
            let done = work(&engine.capstan).await;
            engine.leave().await;
            Ok(done)
        })
    }

    /// Returns the file where everything is remembered; it may not exist yet.
    pub(crate) fn store_file(&self) -> anyhow::Result<Option<PathBuf>> {
        let config = self.config()?;
        Ok(wiring::store_file(&self.global, config, &self.environment))
    }

    /// Returns the repository that is meant where none is named.
    pub(crate) fn repository_here(&self) -> Option<(String, String)> {
        let config = self.config().ok()?;
        wiring::default_repository(&self.global, config, &self.environment).get()
    }

    pub(crate) fn redactor(&self) -> Redactor {
        Redactor::new(self.environment.secrets())
    }

    pub(crate) fn printer(&self) -> Printer {
        Printer::new(self.global.json, self.redactor()).with_flags(&self.global.flags())
    }

    /// Returns a printer that masks all secrets that an engine knows. It prints for programs where
    /// [`Self::printer`] would, and if that is asked for.
    pub(crate) fn printer_of(&self, engine: &Engine, is_for_programs: bool) -> Printer {
        let is_machine = self.global.json || is_for_programs;
        let redactor = engine.capstan.redactor().clone();
        Printer::new(is_machine, redactor).with_flags(&self.global.flags())
    }

    /// Logs go to standard error, and only when asked for with `CAPSTAN_LOG`.
    pub(crate) fn start_logging(&self) {
        self.logging.get_or_init(|| {
            if let Some(filter) = &self.environment.log {
                log_to_stderr(filter, self.redactor());
            }
        });
    }
}

fn log_to_stderr(filter: &str, redactor: Redactor) {
    let filter = match tracing_subscriber::EnvFilter::builder().parse(filter) {
        Ok(filter) => filter,
        Err(cause) => {
            let cause = anyhow::Error::new(cause);
            print_error(&cause.context("CAPSTAN_LOG is not understood, so nothing is logged"));
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

/// Prints an error of the engine the way a failed run is printed.
pub(crate) fn failed(printer: &Printer, error: &ResultError) -> anyhow::Result<Exit> {
    if printer.is_machine() {
        printer.json(&serde_json::json!({"ok": false, "error": error}))?;
    } else {
        printer.error(error);
    }
    Ok(error.into())
}
