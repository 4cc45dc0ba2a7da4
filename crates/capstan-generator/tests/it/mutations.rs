//! The committed outlines of GitHub's mutations: fresh and complete.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use capstan_catalog::outline::{Audience, Outline, card_of, read_outlines};
use capstan_generator::{
    Drift, GraphqlRules, GraphqlSchema, RootKind, Support, catalogue_from_schema, ids_of_cards,
    joined,
};

fn workspace(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

fn committed() -> BTreeMap<String, Outline> {
    let outlines = read_outlines(&workspace("catalogue/graphql")).unwrap();
    outlines.into_iter().collect()
}

#[test]
fn the_outlines_of_mutations_are_fresh() {
    let texts = ["schema/github.graphql", "schema/extensions.graphql"]
        .map(|file| fs::read_to_string(workspace(file)).unwrap());
    let schema = GraphqlSchema::parse(&[
        ("github.graphql", &texts[0]),
        ("extensions.graphql", &texts[1]),
    ]);
    let rules = GraphqlRules::read(&workspace("catalogue/mutations.yaml")).unwrap();
    let rest = read_outlines(&workspace("catalogue/rest")).unwrap();
    let mut taken: BTreeSet<String> = rest.into_keys().collect();
    taken.extend(ids_of_cards(&workspace("cards")));
    let kinds = [RootKind::Mutation];
    let catalogue = catalogue_from_schema(&schema.unwrap(), &rules, &kinds, &taken);
    let catalogue = catalogue.map_err(|problems| joined(&problems)).unwrap();
    let drift = Drift::new(&catalogue, &workspace("catalogue/graphql"));
    assert!(drift.is_empty(), "run `make catalogue`:\n{drift}");
}

#[test]
fn every_outline_of_a_mutation_becomes_a_card() {
    let outlines = committed();
    let support = Support::of(&outlines);
    assert_eq!((support.supported, support.unsupported.len()), (262, 0));
    let sources: BTreeSet<&str> = outlines.values().map(|it| it.source.as_str()).collect();
    assert_eq!(
        sources.len(),
        outlines.len(),
        "each mutation has one outline"
    );
}

#[test]
fn ids_of_mutations_are_read_as_a_domain_nouns_and_a_verb() {
    for id in committed().keys() {
        let words: Vec<&str> = id.split('.').collect();
        assert!((2..=5).contains(&words.len()), "{id}");
        assert!(id.len() < 80, "{id}");
        assert!(!id.contains("able."), "{id}");
    }
}

#[test]
fn outlines_say_who_can_use_them_and_what_is_deprecated() {
    let outlines = committed();
    for (id, outline) in &outlines {
        let is_enterprise = outline.audience == Some(Audience::Enterprise);
        assert_eq!(is_enterprise, id.starts_with("enterprise."), "{id}");
        if id.starts_with("project_classic.") {
            assert!(outline.deprecated.is_some(), "{id}");
        }
    }
    assert_eq!(
        outlines["project_classic.create"].deprecated,
        Some("2025-04-01".into())
    );
    assert_eq!(
        outlines["org.domains.add"].audience,
        Some(Audience::Organization)
    );
    assert_eq!(outlines["discussion.create"].audience, None);
}

/// A payload may be null in any place, and an answer that a write gave must not be told as a failure.
#[test]
fn answers_of_mutations_promise_types_and_never_presence() {
    for (id, outline) in committed() {
        let card = card_of(&id, &outline).unwrap();
        let schema = card.output_schema.to_string();
        assert!(!schema.contains("\"required\""), "{id}: {schema}");
        let fields = card.output_schema["properties"].as_object().unwrap();
        for (name, field) in fields.iter().filter(|(name, _)| *name != "done") {
            let types = field["type"].as_array();
            let is_nullable = types.is_none_or(|types| types.iter().any(|it| it == "null"));
            assert!(is_nullable, "{id}: {name}: {field}");
        }
    }
}
