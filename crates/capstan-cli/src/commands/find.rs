//! What `list`, `search` and `explain` look through: the cards and Capstan's own actions, and, where
//! there may be some, remembered code and the tools of servers.

use capstan_core::card::{Kind, Operation};
use capstan_embed::StaticModel;
use capstan_engine::{Capstan, Hit, SearchRequest, search_built_in};
use capstan_skill::diagnose_empty_path;
use serde::Serialize;

use super::Context;
use crate::output::{Printer, Table, harmless, warn};

/// The best first. What could not be searched is said on standard error.
pub(super) fn find(context: &Context, wanted: &SearchRequest) -> anyhow::Result<Vec<Hit>> {
    let catalog = context.catalog()?;
    let is_built_in = matches!(wanted.kind, Some(Kind::Card | Kind::System));
    let is_there = is_built_in && context.config()?.search.is_built_in();
    if is_there || !has_more(context)? {
        return Ok(search_built_in(&catalog, &StaticModel::built_in(), wanted));
    }
    context.with_engine(catalog, async |capstan| {
        let (hits, warnings) = capstan.discovery().search(wanted).await;
        tell(context, &warnings, capstan);
        hits
    })
}

/// Tells what could not be searched, but for paths of skills of which that was said when they were engine.
fn tell(context: &Context, warnings: &[String], capstan: &Capstan) {
    let named = context.global.skills.iter();
    let said: Vec<String> = named
        .filter_map(|path| Some(diagnose_empty_path(path)?.to_string()))
        .collect();
    for warning in warnings.iter().filter(|it| !said.contains(it)) {
        warn(warning, capstan.redactor());
    }
}

/// What was found, and what it depends on, where that was asked for.
pub(super) type Told = (Hit, Option<Vec<String>>);

/// The same as `find`, each with what it depends on.
pub(super) fn find_with_deps(
    context: &Context,
    wanted: &SearchRequest,
    limit: usize,
) -> anyhow::Result<Vec<Told>> {
    if !has_more(context)? {
        // Relations are remembered, or stand in skills: there are none.
        let hits = find(context, wanted)?.into_iter();
        return Ok(hits.map(|hit| (hit, Some(Vec::new()))).collect());
    }
    context.with_engine(context.catalog()?, async |capstan| {
        let found = capstan
            .discovery()
            .search_by_intent_with_deps(wanted, limit)
            .await;
        tell(context, &found.warnings, capstan);
        let hits = found.hits.into_iter();
        hits.map(|it| (it.hit, Some(it.dependencies))).collect()
    })
}

/// An error that says which domains there are, if this is none.
pub(super) fn check_domain(
    context: &Context,
    domain: &str,
    kind: Option<Kind>,
) -> anyhow::Result<()> {
    let all = SearchRequest {
        kind,
        ..SearchRequest::default()
    };
    let domains = domains(&find(context, &all)?);
    anyhow::ensure!(
        domains.iter().any(|known| known == domain),
        "there is no domain `{domain}`: expected one of {}",
        domains.join(", ")
    );
    Ok(())
}

/// The name of code is no domain.
fn domains(hits: &[Hit]) -> Vec<String> {
    let of_domains = hits.iter().filter(|hit| hit.kind != Kind::Code);
    let domains = of_domains.filter_map(|hit| hit.id.split('.').next());
    let mut domains: Vec<String> = domains.map(str::to_owned).collect();
    domains.dedup();
    domains
}

/// Whether there may be anything beside what is in the binary and in folders with cards.
pub(super) fn has_more(context: &Context) -> anyhow::Result<bool> {
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
struct Row<'a> {
    id: &'a str,
    description: &'a str,
    operation: Operation,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    /// How well it fits, from 0 to 1, where something was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dependencies: Option<&'a [String]>,
}

impl<'a> From<&'a Told> for Row<'a> {
    fn from((hit, dependencies): &'a Told) -> Self {
        Self {
            dependencies: dependencies.as_deref(),
            id: &hit.id,
            description: &hit.description,
            operation: hit.operation,
            // Most are cards: only the others say what they are.
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

pub(super) fn print(printer: &Printer, hits: &[Told]) -> anyhow::Result<()> {
    let rows: Vec<Row<'_>> = hits.iter().map(Row::from).collect();
    if printer.is_machine() {
        return printer.json(&rows);
    }
    let kinds = rows.iter().any(|row| row.kind.is_some());
    let reasons = rows.iter().any(|row| row.why.is_some());
    let uses = |row: &Row<'_>| {
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
        table.row(columns.iter().map(|column| harmless(cells[*column])));
    }
    printer.line(table);
    Ok(())
}
