//! `capstan cards import`: turns the description of an API into cards of a service.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use capstan_catalog::FolderOwner;
use capstan_core::ServiceName;
use capstan_generator::{OperationFilter, ServiceImport, import_graphql, import_openapi};

use super::folder::{ImportNote, check_replaceable, replace};
use super::names::check_free;
use super::report::ImportReport;
use super::source;
use crate::args::CardsImportArgs;
use crate::commands::Context;
use crate::config::default_folder;
use crate::exit::Exit;
use crate::output::{announce, print_diagnostics};
use crate::wiring::CardCache;

/// The format of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Openapi,
    Graphql,
}

pub(super) async fn run(
    context: &Context,
    args: &CardsImportArgs,
    format: Format,
) -> anyhow::Result<Exit> {
    let service = ServiceName::parse(&args.service)?;
    check_free(context, &service)?;
    if format == Format::Graphql && !args.tag.is_empty() {
        bail!("a GraphQL schema has no tags: use --only instead of --tag");
    }
    let place = Place::new(context, args, &service)?;
    check_replaceable(&place.folder, service.as_str())?;
    let text = source::read(&args.source).await?;
    announce("reading the description");
    let import = read_import(&text, args, &service, format)?;
    let printer = context.printer();
    if import.outlines.is_empty() {
        return Err(nothing_imported(&import));
    }
    let shown = source::shown(&args.source);
    let drift = place
        .folder
        .is_dir()
        .then(|| import.drift(&place.folder))
        .filter(|_| place.has_import());
    if !args.dry_run {
        let note = ImportNote {
            service: service.as_str(),
            source: &shown,
            operations: import.outlines.len(),
        };
        replace(&place.folder, &import.files(), &note)?;
        // The cards are packed now, so that the next start need not do it.
        let cache = CardCache::new(&context.environment);
        let opened = cache.open(&place.folder, &FolderOwner::Service(service.clone()));
        print_diagnostics(&opened.diagnostics, &context.redactor());
    }
    let services = &context.config()?.services;
    let configuration = (!services.has(&service)).then(|| {
        let cards = place.unusual_folder();
        import.suggestion.to_toml(&service, cards.as_deref())
    });
    let report = ImportReport {
        import: &import,
        source: &shown,
        folder: &place.folder,
        drift,
        is_dry_run: args.dry_run,
        configuration,
        configuration_file: &place.configuration,
        home: context.environment.home.as_deref(),
    };
    if printer.is_for_programs() {
        printer.json(&report.json())?;
    } else {
        report.print(&printer);
    }
    Ok(Exit::Ok)
}

fn read_import(
    text: &str,
    args: &CardsImportArgs,
    service: &ServiceName,
    format: Format,
) -> anyhow::Result<ServiceImport> {
    let filter = OperationFilter {
        only: args.only.clone(),
        tags: args.tag.clone(),
    };
    let shown = source::shown(&args.source);
    let read = match format {
        Format::Openapi => import_openapi(text, service, &filter),
        Format::Graphql => import_graphql(text, &shown, service, &filter),
    };
    read.map_err(|problem| anyhow!("{problem}"))
        .with_context(|| format!("`{shown}` cannot be imported"))
}

/// Returns the error for an import without outlines.
fn nothing_imported(import: &ServiceImport) -> anyhow::Error {
    match import.left_out.first() {
        _ if import.unwanted > 0 => anyhow!(
            "none of the {} operations matches --only and --tag: nothing was written",
            import.unwanted
        ),
        Some((operation, reason)) => {
            anyhow!("none of the operations can be called; the first one, {operation}: {reason}")
        }
        None => anyhow!("the description has no operations"),
    }
}

/// Where the cards go, and which configuration they belong to.
struct Place {
    folder: PathBuf,
    /// The folder that is read without being named.
    usual: PathBuf,
    configuration: PathBuf,
}

impl Place {
    fn new(
        context: &Context,
        args: &CardsImportArgs,
        service: &ServiceName,
    ) -> anyhow::Result<Self> {
        let own = || {
            let folder = context.environment.config_dir.as_ref()?;
            Some(folder.join("capstan/config.toml"))
        };
        let configuration = context.global.config.clone().or_else(own);
        let configuration = configuration.context(
            "there is no folder for your configuration: set HOME, or name a file with --config",
        )?;
        let parent = configuration.parent().unwrap_or(Path::new(""));
        let usual = default_folder(parent, service.as_str());
        let configured = context.config()?.services.cards_of(service);
        let folder = args.to.clone().or(configured);
        Ok(Self {
            folder: folder.unwrap_or_else(|| usual.clone()),
            usual,
            configuration,
        })
    }

    /// Returns the folder as the configuration has to name it, if it is not the usual one.
    fn unusual_folder(&self) -> Option<String> {
        let absolute = std::path::absolute(&self.folder);
        let folder = absolute.unwrap_or_else(|_| self.folder.clone());
        let usual = std::path::absolute(&self.usual).unwrap_or_else(|_| self.usual.clone());
        (folder != usual).then(|| folder.display().to_string())
    }

    /// Returns whether an earlier import has written the folder.
    fn has_import(&self) -> bool {
        let entries = std::fs::read_dir(&self.folder);
        entries.is_ok_and(|mut entries| entries.next().is_some())
    }
}
