//! Small schemas, and the outlines that become of them.

use std::collections::{BTreeMap, BTreeSet};

use apollo_compiler::{ExecutableDocument, Schema};
use capstan_catalog::outline::{Outline, card_of};
use capstan_generator::{GraphqlRules, GraphqlSchema, Problem, RootKind, catalogue_from_schema};

pub(super) const BOTH: [RootKind; 2] = [RootKind::Query, RootKind::Mutation];

/// Returns the outlines of a schema, by rules. All of them become cards whose documents are valid.
pub(super) fn outlines_by(
    rules: &GraphqlRules,
    sdl: &str,
) -> Result<BTreeMap<String, Outline>, Vec<Problem>> {
    let schema = GraphqlSchema::parse(&[("schema.graphql", sdl)]).unwrap();
    let valid = Schema::parse_and_validate(sdl, "schema.graphql").unwrap();
    let catalogue = catalogue_from_schema(&schema, rules, &BOTH, &BTreeSet::new())?;
    for (id, outline) in &catalogue.outlines {
        let card = card_of(id, outline);
        let card = card.map_err(|problem| format!("{id}: {problem}")).unwrap();
        let text = card.graphql.unwrap().document.text;
        let document = ExecutableDocument::parse_and_validate(&valid, &text, "document.graphql");
        let document = document.map_err(|failed| format!("{id}: {text}\n{}", failed.errors));
        document.unwrap();
    }
    Ok(catalogue.outlines)
}

/// Returns the outlines of the service `shop`.
pub(super) fn outlines(sdl: &str) -> BTreeMap<String, Outline> {
    outlines_by(&GraphqlRules::of_service("shop"), sdl).unwrap()
}

/// Returns the only outline of a schema.
pub(super) fn only(sdl: &str) -> Outline {
    let mut outlines = outlines(sdl);
    assert_eq!(outlines.len(), 1, "{outlines:?}");
    outlines.pop_first().unwrap().1
}

/// Returns a part of an outline as JSON text, in which the order counts.
pub(super) fn text(part: &impl serde::Serialize) -> String {
    serde_json::to_string(part).unwrap()
}
