//! Cards whose documents and ids have everything that merging could trip over.

use capstan_core::ChainStep;
use capstan_core::card::Card;
use serde_json::json;

use super::bench::Bench;
use super::cards::card;
use super::steps::{assert_all_ok, codes, exactly, message, view};

#[tokio::test]
async fn odd_cards_give_the_same_together_as_alone() {
    let cards = cards();
    let ids: Vec<_> = cards.iter().map(|card| card.id.to_string()).collect();
    let bench = Bench::with_cards(cards).await;
    let mut steps = Vec::new();
    for (place, id) in ids.iter().enumerate() {
        steps.push(look(id, 1 + place as u64 % 6));
        steps.push(look(id, 3));
    }
    steps.push(exactly("hostile.b", &json!({"n": 1, "flag": false})));
    steps.push(look("hostile.d", 4711));
    let ran = bench.run(&steps).await;
    assert_eq!(bench.counts(), (1, 0), "all in one request");
    for (step, result) in steps.iter().zip(&ran.results) {
        let alone = bench.run_alone(step).await;
        assert_eq!(result.data, alone.data, "{step:?}");
        let alone = alone.error.map_or(String::new(), |error| error.message);
        assert_eq!(message(result), alone, "{step:?}");
    }
    assert!(ran.results.iter().filter(|it| it.ok).count() >= steps.len() - 1);
}

/// Keys of an input may have the letters that pointers are made of.
#[tokio::test]
async fn references_stand_under_any_key() {
    let odd = card(
        r#"
capability_id: odd.keys
version: 1.0.0
description: Odd keys.
operation: READ
input_schema:
  type: object
  required: ["a/b~c"]
  properties:
    "a/b~c": {type: object, properties: {"~1": {type: array, items: {type: integer}}}}
output_schema: {type: object, properties: {}}
graphql:
  operation: Op
  output: {root: viewer, fields: {login: login}}
"#,
        "query Op { viewer { login } }",
    );
    let bench = Bench::with_cards(vec![odd]).await;
    let good = exactly("odd.keys", &json!({"a/b~c": {"~1": [1, "$0.data.number"]}}));
    assert_all_ok(&bench.run(&[view(1), good]).await);
    let bad = exactly("odd.keys", &json!({"a/b~c": {"~1": [1, "$0.data.title"]}}));
    let ran = bench.run(&[view(1), bad]).await;
    assert_eq!(codes(&ran), ["VALIDATION", "VALIDATION"]);
}

/// A read of an issue as a card of any id, with any document that has an operation `Op`.
fn reading(id: &str, output: &str, document: &str) -> Card {
    card(
        &format!(
            "
capability_id: {id}
version: 1.0.0
description: Something about an issue.
operation: READ
input_schema:
  type: object
  required: [n]
  properties: {{n: {{type: integer}}, flag: {{type: boolean}}}}
output_schema: {{type: object, properties: {{}}}}
graphql:
  operation: Op
  output: {output}
"
        ),
        document,
    )
}

/// Cards whose documents have everything that merging could trip over.
fn cards() -> Vec<Card> {
    let one = "{root: repository.issue, fields: {a: title, b: number}}";
    let plain = r#"query Op($n: Int!) { repository(owner: "acme", name: "rocket") { issue(number: $n) { ...F } } }
fragment F on Issue { title number }"#;
    // The same name of a fragment for something else, and one that uses a variable.
    let other = r#"query Op($n: Int!, $flag: Boolean = true) { repository(owner: "acme", name: "rocket") { issue(number: $n) { ...F } } }
fragment F on Issue { title @include(if: $flag) ...G }
fragment G on Issue { number }"#;
    let inline = r#"query Op($n: Int!) {
  ... { repository(owner: "acme", name: "rocket") { ... on Repository { issue(number: $n) { ... { title } ... @skip(if: false) { number } } } } }
}"#;
    let several = r#"query Op($n: Int!) {
  first: repository(owner: "acme", name: "rocket") { issue(number: $n) { title } }
  second: repository(owner: "acme", name: "rocket") { issue(number: 2) { title } }
  viewer { login }
  ...Root
}
fragment Root on Query { third: repository(owner: "acme", name: "rocket") { name, ...F } }
fragment F on Repository { owner { login } }"#;
    let texts = r#"query Op($n: Int!) {
  # A comment with { braces } and "quotes" and $n
  repository(owner: "acme", name: """rocket""") { issue(number: $n) { title number } }
}"#;
    let defaults = r#"query Op($n: Int!, $states: [IssueState!] = [OPEN, CLOSED], $order: IssueOrder = {field: CREATED_AT, direction: ASC}) {
  repository(owner: "acme", name: "rocket") {
    issue(number: $n) { title number }
    issues(first: 1, states: $states, orderBy: $order) { nodes { number } }
  }
}"#;
    let aliased = r#"query Op($n: Int!) { hostile_a_0: repository(owner: "acme", name: "rocket") { issue(number: $n) { title number } } }"#;
    let all = "{fields: {one: first.issue.title, two: second.issue.title, me: viewer.login, owner: third.owner.login}}";
    let alias = "{root: hostile_a_0.issue, fields: {a: title, b: number}}";
    vec![
        reading("hostile.a", one, plain),
        reading("hostile.b", one, other),
        reading("hostile.c", one, inline),
        reading("hostile.d", all, several),
        reading("hostile.e", one, texts),
        reading("hostile.f", one, defaults),
        // It calls its field what the batch calls another's.
        reading("hostile.g", alias, aliased),
        // Ids that differ only in what a name cannot have.
        reading("hostile.a.b", one, plain),
        reading("hostile.a_b", one, other),
        reading("hostile.a_0", one, inline),
        reading("hostile.a_b_1.c__d", one, plain),
    ]
}

fn look(id: &str, n: u64) -> ChainStep {
    exactly(id, &json!({"n": n}))
}
