//! The search behind `list` and `search`. Cards and Capstan's own actions are searched without an engine; remembered
//! code, skills and tools need one, which is started only if there may be some.

use capstan_core::card::{Kind, Operation};
use capstan_embed::StaticModel;
use capstan_engine::{Capstan, Hit, SearchRequest, search_built_in};
use capstan_skill::diagnose_empty_path;
use serde::Serialize;

use super::Context;
use crate::output::{Printer, Table, sanitize, warn};

/// Returns the capabilities that match, best first. Prints a warning for what could not be searched.
pub(super) fn find(context: &Context, wanted: &SearchRequest) -> anyhow::Result<Vec<Hit>> {
    let catalog = context.catalog()?;
    let is_kind_built_in = matches!(wanted.kind, Some(Kind::Card | Kind::System));
    let needs_no_engine = is_kind_built_in && context.config()?.search.is_built_in();
    if needs_no_engine || !has_other_sources(context)? {
        return Ok(search_built_in(&catalog, &StaticModel::built_in(), wanted));
    }
    context.with_engine(catalog, async |capstan| {
        let (hits, warnings) = capstan.discovery().search(wanted).await;
        print_warnings(context, &warnings, capstan);
        hits
    })
}

/// Prints warnings, except those about paths of `--skills`, which were printed when the engine was started.
fn print_warnings(context: &Context, warnings: &[String], capstan: &Capstan) {
    let named = context.global.skills.iter();
    let printed_before: Vec<String> = named
        .filter_map(|path| Some(diagnose_empty_path(path)?.to_string()))
        .collect();
    for warning in warnings.iter().filter(|it| !printed_before.contains(it)) {
        warn(warning, capstan.redactor());
    }
}

/// A capability that was found, with its dependencies if they were asked for.
pub(super) type HitWithDependencies = (Hit, Option<Vec<String>>);

/// Returns the capabilities that match, best first, each with its dependencies.
pub(super) fn find_with_deps(
    context: &Context,
    wanted: &SearchRequest,
    limit: usize,
) -> anyhow::Result<Vec<HitWithDependencies>> {
    if !has_other_sources(context)? {
        // Relations come from the store or from skills, and there are neither.
        let hits = find(context, wanted)?.into_iter();
        return Ok(hits.map(|hit| (hit, Some(Vec::new()))).collect());
    }
    context.with_engine(context.catalog()?, async |capstan| {
        let found = capstan
            .discovery()
            .search_by_intent_with_deps(wanted, limit)
            .await;
        print_warnings(context, &found.warnings, capstan);
        let hits = found.hits.into_iter();
        hits.map(|it| (it.hit, Some(it.dependencies))).collect()
    })
}

/// Fails with a list of all domains if `domain` does not exist.
pub(super) fn check_domain(
    context: &Context,
    domain: &str,
    kind: Option<Kind>,
) -> anyhow::Result<()> {
    let all = SearchRequest {
        kind,
        with_generated: true,
        ..SearchRequest::default()
    };
    let mut hits = find(context, &all)?;
    let is_known = domains(&hits).iter().any(|known| known == domain);
    // Those of generated cards would be too many for a message.
    hits.retain(|hit| !hit.is_generated);
    anyhow::ensure!(
        is_known,
        "there is no domain `{domain}`: expected one of {}",
        domains(&hits).join(", ")
    );
    Ok(())
}

/// Returns the domains of the hits, without duplicates. Names of code have no domain.
fn domains(hits: &[Hit]) -> Vec<String> {
    let with_domain = hits.iter().filter(|hit| hit.kind != Kind::Code);
    let names = with_domain.filter_map(|hit| hit.id.split('.').next());
    let mut domains: Vec<String> = names.map(str::to_owned).collect();
    domains.dedup();
    domains
}

/// Whether there may be capabilities besides the built-in ones and cards: skills, tools or remembered code.
pub(super) fn has_other_sources(context: &Context) -> anyhow::Result<bool> {
    let config = context.config()?;
    let remembered = context.store_file()?;
    Ok(config.servers.is_some()
        || !config.mcp_servers.is_empty()
        || !context.global.mcp_servers.is_empty()
        || config.all_skills().next().is_some()
        || !context.global.skills.is_empty()
        || !config.search.is_built_in()
        || remembered.is_some_and(|file| file.exists()))
}

#[derive(Serialize)]
struct CapabilityRow<'a> {
    id: &'a str,
    description: &'a str,
    operation: Operation,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    /// How well it matches, from 0 to 1. `None` in a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dependencies: Option<&'a [String]>,
}

impl<'a> From<&'a HitWithDependencies> for CapabilityRow<'a> {
    fn from((hit, dependencies): &'a HitWithDependencies) -> Self {
        Self {
            dependencies: dependencies.as_deref(),
            id: &hit.id,
            description: &hit.description,
            operation: hit.operation,
            // Most are cards, so only other kinds are shown.
            kind: Some(hit.kind)
                .filter(|kind| *kind != Kind::Card)
                .map(Kind::as_str),
            score: hit
                .why
                .is_some()
                .then(|| (hit.score * 100.0).round() / 100.0),
            why: hit.why.as_deref(),
        }
    }
}

/// Prints the capabilities: a table for people, JSON for programs.
pub(super) fn print(printer: &Printer, hits: &[HitWithDependencies]) -> anyhow::Result<()> {
    let rows: Vec<CapabilityRow<'_>> = hits.iter().map(CapabilityRow::from).collect();
    if printer.is_for_programs() {
        return printer.json(&rows);
    }
    let kinds = rows.iter().any(|row| row.kind.is_some());
    let reasons = rows.iter().any(|row| row.why.is_some());
    let uses = |row: &CapabilityRow<'_>| {
        row.dependencies
            .map(|all| all.join(", "))
            .unwrap_or_default()
    };
    let any_uses = rows.iter().any(|row| !uses(row).is_empty());
    let header = ["id", "kind", "description", "uses", "why"];
    let shown = |column: &usize| match column {
        1 => kinds,
        3 => any_uses,
        4 => reasons,
        _ => true,
    };
    let columns: Vec<usize> = (0..header.len()).filter(shown).collect();
    let mut table = Table::new(columns.iter().map(|column| header[*column]));
    for row in rows {
        let uses = uses(&row);
        let cells = [
            row.id,
            row.kind.unwrap_or_default(),
            row.description,
            &uses,
            row.why.unwrap_or_default(),
        ];
        table.push_row(columns.iter().map(|column| sanitize(cells[*column])));
    }
    printer.line(table);
    Ok(())
}
