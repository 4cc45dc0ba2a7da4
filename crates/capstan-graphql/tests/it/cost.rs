//! Counts of nodes, compared with counts by hand.

use capstan_graphql::count_nodes;
use serde_json::{Value, json};

#[track_caller]
fn check(document: &str, variables: &Value, expected: u64) {
    let variables = variables.as_object().cloned().unwrap_or_default();
    assert_eq!(count_nodes(document, None, &variables), Ok(expected));
}

#[test]
fn pages_multiply() {
    check("{ viewer { login } }", &json!({}), 0);
    check(
        "{ viewer { repositories(first: 50) { edges { repository: node { name
            pullRequests(first: 20) { edges { node { title comments(first: 10) { edges { node { body } } } } } }
            issues(first: 20) { totalCount edges { node { title comments(first: 10) { edges { node { body } } } } } }
        } } }
        followers(first: 10) { edges { node { login } } } } }",
        &json!({}),
        // The example in GitHub's documentation.
        22_060,
    );
}

#[test]
fn sizes_from_variables_and_their_defaults() {
    let document = "query ($n: Int = 7, $m: Int) { viewer {
        followers(first: $n) { totalCount } following(last: $m) { nodes { id } } } }";
    check(document, &json!({ "n": 2, "m": 3 }), 5);
    check(document, &json!({ "m": 3 }), 10);
    check(document, &json!({}), 107);
    check(document, &json!({ "n": null, "m": -1 }), 200);
    check(document, &json!({ "n": "x", "m": 1e3 }), 200);
}

#[test]
fn a_connection_without_a_size_counts_a_full_page() {
    check("{ viewer { followers { nodes { id } } } }", &json!({}), 100);
    check(
        "{ viewer { followers { ...Items } } } fragment Items on FollowerConnection { ... { edges { node { id } } } }",
        &json!({}),
        100,
    );
    check("{ relay { nodes(ids: []) { id } } }", &json!({}), 0);
    check(
        "{ viewer { followers(first: null, last: 4) { totalCount } } }",
        &json!({}),
        4,
    );
}

#[test]
fn an_empty_page_still_has_its_connections_own_fields() {
    check(
        "{ viewer { followers(first: 0) { nodes { followers(first: 5) { totalCount } } } } }",
        &json!({}),
        5,
    );
}

#[test]
fn fragments_count_where_they_are_used() {
    check(
        "{ viewer { followers(first: 3) { nodes { ...F } } ...F } }
        fragment F on User { following(first: 10) { totalCount } }",
        &json!({}),
        43,
    );
}

#[test]
fn more_than_can_be_counted_is_the_most_there_is() {
    let open = "followers(first: 100) { nodes { ".repeat(40);
    let document = format!("{{ viewer {{ {open} id {} }} }}", "} }".repeat(40));
    check(&document, &json!({}), u64::MAX);
}

#[test]
fn what_is_no_document_has_no_cost() {
    let none = serde_json::Map::new();
    for (document, name) in [("{", None), ("{ id }", Some("A")), ("{ ...F }", None)] {
        count_nodes(document, name, &none).unwrap_err();
    }
}
