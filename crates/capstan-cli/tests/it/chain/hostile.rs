//! Cards and inputs that nobody would write, unless to see what happens.

use capstan_core::card::Card;
use capstan_core::{ChainRequest, ChainStep};
use serde_json::{Value, json};

use super::bench::Bench;
use super::cards::card;
use super::steps::{assert_all_ok, codes, comment, create, exactly, message, named, step, view};
use super::world::{comments_saying, open_issues};
use crate::support::TOKEN;

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

#[tokio::test]
async fn a_text_of_a_megabyte_harms_nobody() {
    let bench = Bench::demo().await;
    let huge = "x".repeat(1024 * 1024);
    let mut steps: Vec<_> = (0..3)
        .map(|it| comment(1, &format!("Before {it}")))
        .collect();
    steps.push(comment(1, &huge));
    steps.extend((0..3).map(|it| comment(1, &format!("After {it}"))));
    steps.push(step("issue.list", json!({"label": huge})));
    steps.push(view(2));
    let ran = bench.run(&steps).await;
    // GitHub takes no more than 65,536 characters, and no label is called so.
    assert_eq!(
        codes(&ran),
        ["ok", "ok", "ok", "VALIDATION", "ok", "ok", "ok", "ok", "ok"]
    );
    for it in 0..3 {
        assert_eq!(comments_saying(&bench.sim, 1, &format!("After {it}")), 1);
    }
    assert_eq!(bench.counts().1, 3, "before it, itself, and after it");
}

/// A reference into a long list, over and over.
#[tokio::test]
async fn a_thousand_references_to_one_step_are_filled_in() {
    let bench = Bench::demo().await;
    let mut steps = vec![step("issue.list", json!({"first": 29}))];
    for index in 0..999 {
        let number = format!("$0.data.issues[{}].number", index % 29);
        steps.push(step("issue.view", json!({"issue_number": number})));
    }
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    assert_eq!(bench.counts(), (2, 0));
}

/// Each step needs the one before it.
#[tokio::test]
async fn a_long_line_of_references_ends() {
    let bench = Bench::demo().await;
    let mut steps = vec![view(1)];
    for index in 0..99 {
        let number = format!("${index}.data.number");
        steps.push(step("issue.view", json!({"issue_number": number})));
    }
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    assert_eq!(bench.counts(), (100, 0));
}

#[tokio::test]
async fn inputs_that_are_deep_or_strange_are_refused_or_sent_as_they_are() {
    let bench = Bench::demo().await;
    let mut deep = json!("$0.data.id");
    for _ in 0..100 {
        deep = json!([deep]);
    }
    let steps = [
        view(1),
        step(
            "issue.labels.add",
            json!({"issue_number": 1, "labels": deep}),
        ),
    ];
    assert_eq!(
        codes(&bench.run(&steps).await),
        ["VALIDATION", "VALIDATION"]
    );
    let strange = [
        "\u{0}",
        "\u{202e}abc",
        "}\"'\\{$x: Int}",
        "#",
        "\u{1F680}",
        "{{owner}}",
        "<$0.data.id>",
    ];
    let steps: Vec<_> = strange.iter().map(|text| comment(1, text)).collect();
    assert_all_ok(&bench.run(&steps).await);
    for text in strange {
        assert_eq!(comments_saying(&bench.sim, 1, text), 1, "{text:?}");
    }
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

/// A secret that somebody puts into a chain does not come out of it.
#[tokio::test]
async fn secrets_do_not_come_out() {
    let bench = Bench::demo().await;
    let chains: Vec<Vec<ChainStep>> = vec![
        vec![
            create(TOKEN),
            step("issue.view", json!({"issue_number": "$0.data.number"})),
        ],
        vec![
            view(1),
            step(
                "issue.labels.add",
                json!({"issue_number": 1, "labels": [TOKEN]}),
            ),
        ],
        vec![view(1), step("issue.list", json!({"label": TOKEN}))],
        vec![named(TOKEN, view(1)), view(2)],
        vec![named(TOKEN, view(1)), named(TOKEN, view(2))],
        vec![view(1), exactly(TOKEN, &json!({}))],
        vec![view(1), step("issue.view", json!({"issue_number": TOKEN}))],
        vec![
            view(1),
            step(
                "issue.view",
                json!({"issue_number": format!("${TOKEN}.data.number")}),
            ),
        ],
        vec![
            view(1),
            step("issue.view", json!({"issue_number": 1, TOKEN: 1})),
        ],
        vec![
            view(1),
            step("issue.view", json!({"repo": TOKEN, "issue_number": 1})),
        ],
    ];
    let mut leaks = Vec::new();
    for mut steps in chains {
        for step in &mut steps {
            step.request.options.trace = true;
        }
        let ran = bench.run(&steps).await;
        let text = serde_json::to_string(&ran).unwrap();
        if text.contains(TOKEN) {
            leaks.push(text);
        }
    }
    assert!(leaks.is_empty(), "{}", leaks.join("\n"));
}

#[tokio::test]
async fn a_dry_run_can_be_shown_without_secrets() {
    let bench = Bench::demo().await;
    let request = ChainRequest {
        steps: vec![create(TOKEN), comment(1, TOKEN), view(1)],
        ..ChainRequest::default()
    };
    let plan = bench.capstan.dry_run_chain(&request).await.unwrap();
    let mut shown: Value = serde_json::to_value(&plan).unwrap();
    bench.capstan.redactor().value(&mut shown);
    assert!(!shown.to_string().contains(TOKEN));
    assert_eq!(bench.counts(), (0, 0));
}

/// All the issues that there are, each three ways, in one go.
#[tokio::test]
async fn many_kinds_of_steps_travel_together() {
    let bench = Bench::demo().await;
    let issues = open_issues(&bench.sim);
    let steps: Vec<_> = issues
        .iter()
        .take(16)
        .flat_map(|issue| {
            let list = step(
                "issue.comments.list",
                json!({"issue_number": issue, "first": 5}),
            );
            [view(*issue), list, comment(*issue, "Seen.")]
        })
        .collect();
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    assert_eq!(bench.counts(), (1, 1));
}
