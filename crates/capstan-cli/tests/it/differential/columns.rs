//! Columns that are read only when they are asked for: the same on every route, and otherwise not there.

use capstan_catalog::Catalog;
use capstan_core::{Options, Route};
use github_sim::Sim;
use serde_json::{Value, json};

use super::{issue_states, pull_states, repositories};
use crate::support::Bench;

#[tokio::test]
async fn columns_that_are_asked_for_are_the_same_on_every_route() {
    let every_state = || json!({"state": "all"});
    for (card, input, seed) in [
        (
            "issue.list",
            every_state(),
            issue_states::everything as super::case::Seed,
        ),
        ("pr.list", every_state(), pull_states::everything),
        ("release.list", json!({}), repositories::many_releases),
        ("repo.labels.list", json!({}), repositories::many_labels),
        ("workflow.runs.list", json!({}), repositories::many_runs),
    ] {
        let sim = Sim::demo();
        sim.world(seed);
        let bench = Bench::with(sim, std::time::Duration::from_secs(10)).await;
        let (field, optional) = optional(card);
        assert!(!optional.is_empty(), "{card}");
        let mut answers = Vec::new();
        let routes = Catalog::new(&capstan_cards::CARDS).get(card).unwrap();
        for route in routes.route_order() {
            let rows = rows(&bench, route, card, &input, &field, Some(&optional)).await;
            for name in &optional {
                let there = rows.iter().filter(|row| !row[name].is_null()).count();
                assert!(there > 0, "{card} on {route}: no row has `{name}`");
            }
            let without = self::rows(&bench, route, card, &input, &field, None).await;
            let has_any = |row: &&Value| optional.iter().any(|name| row.get(name).is_some());
            assert!(!without.is_empty() && without.iter().find(has_any).is_none());
            answers.push((route, rows));
        }
        for (route, rows) in &answers[1..] {
            assert_eq!(rows, &answers[0].1, "{card} on {route}");
        }
    }
}

/// The column of a list, and its fields that no row has to have.
fn optional(card: &str) -> (String, Vec<String>) {
    let card = Catalog::new(&capstan_cards::CARDS).get(card).unwrap();
    let list = card.list.clone().unwrap();
    let rows = &card.output_schema["properties"][&list.field]["items"];
    let required = rows["required"].as_array().unwrap();
    let names = rows["properties"].as_object().unwrap().keys();
    // What is shown unasked is there for other reasons.
    let is_optional =
        |name: &&String| !required.contains(&json!(name)) && !list.columns.contains(*name);
    let optional = names.filter(is_optional);
    (list.field, optional.cloned().collect())
}

async fn rows(
    bench: &Bench,
    route: Route,
    card: &str,
    input: &Value,
    field: &str,
    fields: Option<&[String]>,
) -> Vec<Value> {
    let mut input = input.clone();
    for (name, value) in [
        ("owner", json!("acme")),
        ("repo", json!("rocket")),
        ("first", json!(100)),
    ] {
        input[name] = value;
    }
    let options = Options {
        route: Some(route),
        full: true,
        fields: fields.map(<[String]>::to_vec),
        ..Options::default()
    };
    let envelope = bench.run(card, &input, options).await;
    assert!(envelope.ok, "{:?}", envelope.error);
    let data = envelope.data.unwrap();
    data[field].as_array().unwrap().clone()
}
