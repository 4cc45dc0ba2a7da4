//! `capstan list`: lists capabilities. Without a configuration and remembered code, it opens no files.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use capstan_catalog::Catalog;
use capstan_core::card::Kind;
use capstan_engine::SearchRequest;

use super::Context;
use super::find::{check_domain, find, print};
use crate::args::ListArgs;
use crate::atomic_file;
use crate::exit::Exit;
use crate::output::{CatalogueRow, catalogue_page, note};

pub(crate) fn run(context: &Context, args: &ListArgs) -> anyhow::Result<Exit> {
    let printer = context.printer();
    let wanted = SearchRequest {
        domain: args.domain.clone(),
        kind: args.kind,
        with_generated: args.all || args.domain.is_some() || args.html.is_some(),
        ..SearchRequest::default()
    };
    let hits = find(context, &wanted)?;
    if let (Some(domain), true) = (&args.domain, hits.is_empty()) {
        check_domain(context, domain, args.kind)?;
    }
    // The search printed the diagnostics of the cards already.
    let catalog = || {
        context
            .catalog_with_diagnostics()
            .map(|(catalog, _)| catalog)
    };
    if args.html.is_some() || (args.all && printer.is_for_programs()) {
        let catalog = catalog()?;
        let rows = hits.into_iter().map(|hit| CatalogueRow::new(&catalog, hit));
        let rows: Vec<_> = rows.collect();
        match &args.html {
            Some(file) => write_page(context, file, &rows)?,
            None => printer.json(&rows)?,
        }
        return Ok(Exit::Ok);
    }
    let rows: Vec<_> = hits.into_iter().map(|hit| (hit, None)).collect();
    print(&printer, &rows)?;
    let hides_cards = !wanted.with_generated && args.kind.is_none_or(|kind| kind == Kind::Card);
    if hides_cards && !printer.is_for_programs() {
        printer.line(generated_domains(&catalog()?));
    }
    Ok(Exit::Ok)
}

fn write_page(context: &Context, file: &Path, rows: &[CatalogueRow]) -> anyhow::Result<()> {
    let redactor = context.printer().redactor;
    atomic_file::replace(file, &redactor.text(&catalogue_page(rows)))
        .with_context(|| format!("cannot write `{}`", file.display()))?;
    let wrote = format!("wrote {} capabilities to {}", rows.len(), file.display());
    note(&wrote, &redactor);
    Ok(())
}

/// Says how many generated cards each domain has, and how to see them.
fn generated_domains(catalog: &Catalog) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for card in catalog.generated() {
        let domain = card.id.split('.').next().unwrap_or_default();
        *counts.entry(domain).or_default() += 1;
    }
    let counts = counts
        .iter()
        .map(|(domain, count)| format!("{domain} {count}"));
    format!(
        "{} more cards are generated from descriptions of APIs: `capstan list DOMAIN` shows those of a domain, \
         `capstan list --all` shows all, and `capstan search` finds them. The domains are {}",
        catalog.generated_count(),
        counts.collect::<Vec<_>>().join(", "),
    )
}
