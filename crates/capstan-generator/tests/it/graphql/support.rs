//! Small schemas, and the outlines that become of them.

use std::collections::{BTreeMap, BTreeSet};

use capstan_catalog::outline::{Outline, check};
use capstan_generator::{GraphqlRules, GraphqlSchema, Problem, RootKind, catalogue_from_schema};

pub(super) const BOTH: [RootKind; 2] = [RootKind::Query, RootKind::Mutation];

/// Returns the outlines of a schema, by rules.
pub(super) fn outlines_by(
    rules: &GraphqlRules,
    sdl: &str,
) -> Result<BTreeMap<String, Outline>, Vec<Problem>> {
    let schema = GraphqlSchema::parse(&[("schema.graphql", sdl)]).unwrap();
    let catalogue = catalogue_from_schema(&schema, rules, &BOTH, &BTreeSet::new())?;
    for (id, outline) in &catalogue.outlines {
        check(id, outline).unwrap_or_else(|problem| panic!("{id}: {problem}"));
    }
    Ok(catalogue.outlines)
}

/// Returns the outlines of the service `shop`. All of them become cards.
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
