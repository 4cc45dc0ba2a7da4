//! Connections follow Relay's specification and GitHub's limits.

use super::fixture::{errors, many_labels, repo, run_as, world};
use serde_json::{Value, json};

#[test]
fn paging_in_either_direction_visits_each_item_once_in_order() {
    let mut world = world();
    many_labels(&mut world, 23);
    let all = names(&repo(&mut world, "labels(first: 100) { nodes { name } }")["labels"]);
    assert_eq!(all.len(), 25);
    for size in [1, 2, 7, 24, 25, 26, 100] {
        let mut forward = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let page = repo(
                &mut world,
                &format!("labels(first: {size}, after: {cursor}) {{ totalCount nodes {{ name }} pageInfo {{ hasNextPage hasPreviousPage startCursor endCursor }} }}"),
            )["labels"]
                .clone();
            assert_eq!(page["totalCount"], 25);
            assert_eq!(page["pageInfo"]["hasPreviousPage"], !forward.is_empty());
            forward.extend(names(&page));
            cursor = page["pageInfo"]["endCursor"].clone();
            if page["pageInfo"]["hasNextPage"] == false {
                break;
            }
        }
        assert_eq!(forward, all, "forward by {size}");

        let mut backward = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let page = repo(
                &mut world,
                &format!("labels(last: {size}, before: {cursor}) {{ nodes {{ name }} pageInfo {{ hasPreviousPage startCursor }} }}"),
            )["labels"]
                .clone();
            let mut part = names(&page);
            part.extend(backward);
            backward = part;
            cursor = page["pageInfo"]["startCursor"].clone();
            if page["pageInfo"]["hasPreviousPage"] == false {
                break;
            }
        }
        assert_eq!(backward, all, "backward by {size}");
    }
}

#[test]
fn edges_carry_the_cursors_of_their_nodes() {
    let mut world = world();
    many_labels(&mut world, 5);
    let page = repo(
        &mut world,
        "labels(first: 3) { edges { cursor node { name } } }",
    )["labels"]
        .clone();
    let second = &page["edges"][1]["cursor"];
    let rest = repo(
        &mut world,
        &format!("labels(first: 1, after: {second}) {{ nodes {{ name }} }}"),
    );
    assert_eq!(
        rest["labels"]["nodes"][0]["name"],
        page["edges"][2]["node"]["name"]
    );
}

#[test]
fn an_empty_page_has_null_cursors() {
    let found = repo(
        &mut world(),
        "issue(number: 2) { comments(first: 5) { totalCount pageInfo { startCursor endCursor hasNextPage } } }",
    );
    assert_eq!(
        found["issue"]["comments"],
        json!({ "totalCount": 0, "pageInfo": { "startCursor": null, "endCursor": null, "hasNextPage": false } })
    );
}

#[test]
fn first_or_last_is_required_and_limited() {
    let mut world = world();
    for (selection, kind, message) in [
        (
            "issues { nodes { id } }",
            "MISSING_PAGINATION_BOUNDARIES",
            "You must provide a `first` or `last` value to properly paginate the `issues` connection.",
        ),
        (
            "issues(first: 101) { nodes { id } }",
            "EXCESSIVE_PAGINATION",
            "Requesting 101 records on the `issues` connection exceeds the `first` limit of 100 records.",
        ),
        (
            "deployments { edges { cursor } }",
            "MISSING_PAGINATION_BOUNDARIES",
            "You must provide a `first` or `last` value to properly paginate the `deployments` connection.",
        ),
        (
            "issues(first: 1, after: \"zzz\") { nodes { id } }",
            "INVALID_CURSOR_ARGUMENTS",
            "`zzz` does not appear to be a valid cursor.",
        ),
    ] {
        let query =
            format!("{{ repository(owner: \"acme\", name: \"rocket\") {{ {selection} }} }}");
        let found = errors(&mut world, &query, json!({}));
        assert_eq!(found[0]["type"], kind);
        assert_eq!(found[0]["message"], message);
    }
}

#[test]
fn total_count_needs_no_first_or_last() {
    let found = repo(
        &mut world(),
        "issues(states: OPEN) { totalCount } pullRequests { totalCount }",
    );
    assert_eq!(
        found,
        json!({ "issues": { "totalCount": 5 }, "pullRequests": { "totalCount": 2 } })
    );
}

#[test]
fn a_refused_page_makes_its_non_null_parents_null() {
    let mut world = world();
    let outcome = run_as(
        &mut world,
        "octocat",
        "{ viewer { login } repository(owner: \"acme\", name: \"rocket\") { issues { nodes { id } } } }",
        json!({}),
    );
    assert_eq!(
        outcome.json["data"],
        json!({ "viewer": { "login": "octocat" }, "repository": null })
    );
}

#[test]
fn documents_with_too_many_nodes_are_refused() {
    let query = "query($n: Int!) { repository(owner: \"acme\", name: \"rocket\") {
        issues(first: $n) { nodes { comments(first: 100) { nodes { reactions(last: 60) { nodes { id } } } } } } } }";
    let found = errors(&mut world(), query, json!({ "n": 100 }));
    assert_eq!(found[0]["type"], "MAX_NODE_LIMIT_EXCEEDED");
    assert_eq!(
        found[0]["message"],
        "This query requests up to 610,100 possible nodes which exceeds the maximum limit of 500,000."
    );
}

#[test]
fn the_cost_of_a_query_is_a_hundredth_of_its_pages() {
    let mut world = world();
    let mut cost = |selection: &str| {
        let query = format!("{{ rateLimit {{ cost nodeCount remaining }} {selection} }}");
        super::fixture::data(&mut world, &query, json!({}))["rateLimit"].clone()
    };
    assert_eq!(
        cost("viewer { login }"),
        json!({ "cost": 1, "nodeCount": 0, "remaining": 5000 })
    );
    let nested = "repository(owner: \"acme\", name: \"rocket\") {
        pullRequests(first: 100) { nodes { ...P } } }
        }
        fragment P on PullRequest { reviews(first: 5) { nodes { comments(first: 2) { totalCount } } }";
    assert_eq!(
        cost(nested),
        json!({ "cost": 6, "nodeCount": 100 + 500 + 1000, "remaining": 5000 })
    );
}

fn names(page: &Value) -> Vec<String> {
    let nodes = page["nodes"].as_array().unwrap();
    nodes
        .iter()
        .map(|node| node["name"].as_str().unwrap().to_owned())
        .collect()
}
