//! The context of a command: the global flags, the environment, and what is derived from them.

use std::cell::OnceCell;
use std::io::IsTerminal as _;
use std::path::PathBuf;

use capstan_catalog::Catalog;
use capstan_core::{Diagnostic, Redactor, ResultError};
use capstan_engine::Capstan;

use super::dispatch::block_on;
use crate::args::GlobalArgs;
use crate::config::Config;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::output::{Printer, RedactedStderr, print_diagnostics, print_error};
use crate::wiring::{self, Engine};

/// The global flags, the environment, and everything that is derived from them. Each value is created when it is
/// first needed, so a command reads, opens and connects to nothing that it does not use.
pub(crate) struct Context {
    pub global: GlobalArgs,
    pub environment: Environment,
    config: OnceCell<Config>,
    logging: OnceCell<()>,
}

impl Context {
    pub(crate) fn new(global: GlobalArgs, environment: Environment) -> Self {
        Self {
            global,
            environment,
            config: OnceCell::new(),
            logging: OnceCell::new(),
        }
    }

    /// Returns the same context with this configuration, so that no file is read.
    pub(crate) fn with_config(self, config: Config) -> Self {
        Self {
            config: OnceCell::from(config),
            ..self
        }
    }

    /// Returns the same context with this repository for calls that name none.
    pub(crate) fn with_repository(&self, repository: Option<(String, String)>) -> Self {
        let global = GlobalArgs {
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

    /// Returns an engine for this catalogue.
    pub(crate) async fn engine_with(&self, catalog: Catalog) -> anyhow::Result<Engine> {
        self.start_logging();
        wiring::wire(&self.global, self.config()?, &self.environment, catalog).await
    }

    /// Starts an engine, runs `work` to its end, and shuts the engine down. For commands that are not async
    /// because they seldom need an engine.
    pub(crate) fn with_engine<T>(
        &self,
        catalog: Catalog,
        work: impl AsyncFnOnce(&Capstan) -> T,
    ) -> anyhow::Result<T> {
        block_on(async {
            let engine = self.engine_with(catalog).await?;
            let done = work(&engine.capstan).await;
            engine.shut_down().await;
            Ok(done)
        })
    }

    /// Returns the file of the store, which may not exist yet. `None` if the platform has no folder for it.
    pub(crate) fn store_file(&self) -> anyhow::Result<Option<PathBuf>> {
        let config = self.config()?;
        Ok(wiring::store_file(&self.global, config, &self.environment))
    }

    /// Returns the repository for calls that name none, such as that of the current folder's git remote.
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

    /// Returns a printer that masks all secrets that an engine knows. It prints for programs if
    /// `is_for_programs` is set, and whenever [`Self::printer`] does.
    pub(crate) fn printer_of(&self, engine: &Engine, is_for_programs: bool) -> Printer {
        let is_for_programs = self.global.json || is_for_programs;
        let redactor = engine.capstan.redactor().clone();
        Printer::new(is_for_programs, redactor).with_flags(&self.global.flags())
    }

    /// Starts logging to standard error if `CAPSTAN_LOG` is set. Later calls do nothing.
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
            print_error(&cause.context("CAPSTAN_LOG is invalid, so nothing is logged"));
            return;
        }
    };
    let writer = move || RedactedStderr::new(redactor.clone());
    // This fails if a logger is installed already, which then stays.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(writer)
        .try_init();
}

/// Prints an error of the engine like that of a failed run, and returns its exit code.
pub(crate) fn failed(printer: &Printer, error: &ResultError) -> anyhow::Result<Exit> {
    if printer.is_for_programs() {
        printer.json(&serde_json::json!({"ok": false, "error": error}))?;
    } else {
        printer.error(error);
    }
    Ok(error.into())
}
