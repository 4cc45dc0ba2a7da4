//! Checks cards against GitHub's schema, and locates each finding in its file.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail};
use capstan_card_check::{DocumentProblem, Finding, GithubSchema, check_card, check_follow_ups};
use capstan_catalog::{Catalog, locate};
use capstan_core::card::Card;
use capstan_core::{CapabilityId, Diagnostic};

use super::files::CardFile;

/// The code of a GraphQL document that does not fit the schema.
const DOCUMENT: &str = "E050";

/// The value of `--github-schema` that skips the checks which need a schema.
const NO_SCHEMA: &str = "none";

/// Returns everything that is wrong with the cards. The schema is unpacked only if there are cards.
pub(super) fn prove(
    cards: &[CardFile],
    catalog: &Catalog,
    github_schema: &[PathBuf],
) -> anyhow::Result<Vec<Diagnostic>> {
    if cards.is_empty() {
        return Ok(Vec::new());
    }
    let schema = schema(github_schema)?;
    let known = known(cards, catalog);
    let mut found = Vec::new();
    for file in cards {
        let mut findings = Vec::new();
        if let Some(schema) = &schema {
            findings.extend(check_card(&file.card, schema));
        }
        findings.extend(check_follow_ups(&file.card, |id| {
            known.get(id).map(Arc::as_ref)
        }));
        let in_document = match (&schema, &file.document) {
            (Some(schema), Some(document)) if has_document_finding(&findings) => {
                schema.problems(&document.text)
            }
            _ => Vec::new(),
        };
        let is_pinned = github_schema.is_empty();
        let found_here = findings.into_iter();
        found.extend(found_here.map(|finding| diagnostic(finding, file, &in_document, is_pinned)));
    }
    Ok(found)
}

fn has_document_finding(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.code == DOCUMENT)
}

/// Returns the schema to check against: the given one, or the built-in one. `None` for `--github-schema none`.
fn schema(given: &[PathBuf]) -> anyhow::Result<Option<GithubSchema>> {
    if given.is_empty() {
        return GithubSchema::pinned().map(Some).map_err(|why| anyhow!(why));
    }
    if given.iter().any(|path| path == Path::new(NO_SCHEMA)) {
        if given.len() > 1 {
            bail!(
                "`--github-schema {NO_SCHEMA}` and a schema file exclude each other: give one of them"
            );
        }
        return Ok(None);
    }
    let mut texts = Vec::new();
    for file in given {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read the schema `{}`", file.display()))?;
        texts.push((file.display().to_string(), text));
    }
    let named_texts: Vec<_> = texts
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let schema = GithubSchema::parse(&named_texts)
        .map_err(|why| anyhow!("`--github-schema` is not a valid GraphQL schema: {why}"))?;
    Ok(Some(schema))
}

/// Returns the cards that follow-ups and combinations of `cards` name. Ids that do not exist are left out.
fn known(cards: &[CardFile], catalog: &Catalog) -> HashMap<CapabilityId, Arc<Card>> {
    let next = cards.iter().flat_map(|file| &file.card.next);
    let mend = cards.iter().flat_map(|file| file.card.mend.values());
    let lookup_mends = cards.iter().flat_map(|file| file.card.lookup_mends());
    let follow_ups = next
        .chain(mend)
        .chain(lookup_mends.map(|(_, follow_up)| follow_up));
    let parts = cards.iter().flat_map(|file| &file.card.combine);
    let ids = follow_ups
        .map(|follow_up| &follow_up.capability)
        .chain(parts.map(|part| &part.task));
    ids.filter_map(|id| Some((id.clone(), catalog.get(id.as_str()).ok()?)))
        .collect()
}

/// Turns a finding into a diagnostic. A problem in a GraphQL document is located in the document's own file,
/// any other in the card.
fn diagnostic(
    finding: Finding,
    file: &CardFile,
    in_document: &[DocumentProblem],
    is_pinned: bool,
) -> Diagnostic {
    let there = in_document
        .iter()
        .find(|problem| finding.code == DOCUMENT && finding.message.ends_with(&problem.message));
    let (source, span) = match (there, &file.document) {
        (Some(problem), Some(document)) => (document, problem.span),
        _ => (&file.source, locate(&file.source, &finding.pointer, None)),
    };
    let mut diagnostic = Diagnostic::error(finding.code, source, finding.message).at(span);
    diagnostic.severity = finding.severity;
    diagnostic.help = finding.help;
    if diagnostic.code == DOCUMENT && diagnostic.help.is_none() && is_pinned {
        diagnostic.help = Some(format!(
            "the built-in schema is GitHub's of {}; to check against a newer one, use \
             `--github-schema FILE`",
            GithubSchema::PINNED
        ));
    }
    diagnostic
}
