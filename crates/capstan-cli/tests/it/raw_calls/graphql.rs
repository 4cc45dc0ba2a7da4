//! Raw GraphQL calls: documents, variables, batches, partial errors.

use capstan_core::{ErrorCode, Route};
use serde_json::json;

use super::bench::{GRAPHQL, chain, data, graphql, message, step};
use crate::support::Bench;

const ISSUE: &str = "query($n: Int!, $owner: String = \"acme\") {
  repository(owner: $owner, name: \"rocket\") { issue(number: $n) { ...F } }
}
fragment F on Issue { number title }";

#[tokio::test]
async fn a_query_is_answered_as_it_is() {
    let bench = Bench::demo().await;
    let envelope = graphql(&bench, json!({"query": ISSUE, "variables": {"n": 43}})).await;
    assert_eq!(envelope.meta.route_used, Some(Route::Graphql));
    let issue = data(envelope);
    assert_eq!(issue["repository"]["issue"]["number"], 43);
    // Of several operations, one is named; the others are not sent.
    let several = format!(
        "{ISSUE}\nmutation M {{ addStar(input: {{starrableId: \"x\"}}) {{ clientMutationId }} }}"
    )
    .replacen("query(", "query Q(", 1);
    let input = json!({"query": several, "variables": {"n": 43}, "operation": "Q"});
    assert_eq!(data(graphql(&bench, input).await), issue);
    let seen = bench.sim.requests();
    assert_eq!(seen[1].root_fields, ["repository"]);
    assert_eq!(seen[1].operation_name.as_deref(), Some("Q"));
}

#[tokio::test]
async fn raw_queries_share_a_request_with_each_other_and_with_cards() {
    let bench = Bench::demo().await;
    let outcome = chain(
        &bench,
        vec![
            step("one", GRAPHQL, &json!({"query": ISSUE, "variables": {"n": 43}})),
            step("", "issue.view", &json!({"owner": "acme", "repo": "rocket", "issue_number": 48})),
            step("", GRAPHQL, &json!({"query": "# mine\n{ viewer { login } rateLimit { cost } }"})),
            step(
                "",
                GRAPHQL,
                &json!({"query": "query($labels: [String!], $order: IssueOrder) { repository(owner: \"acme\", name: \"rocket\") { issues(first: 2, labels: $labels, orderBy: $order) { nodes { number } } } }",
                    "variables": {"labels": ["bug"], "order": {"field": "CREATED_AT", "direction": "DESC"}}}),
            ),
        ],
    )
    .await;
    assert_eq!(
        (outcome.meta.succeeded, outcome.meta.requests),
        (4, 1),
        "{:?}",
        outcome.results
    );
    let results = &outcome.results;
    let of = |index: usize| results[index].data.clone().unwrap();
    assert_eq!(of(0)["repository"]["issue"]["number"], 43);
    assert!(of(2)["viewer"]["login"].is_string());
    assert_eq!(
        of(3)["repository"]["issues"]["nodes"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[tokio::test]
async fn variables_may_refer_to_earlier_steps() {
    let bench = Bench::demo().await;
    let outcome = chain(
        &bench,
        vec![
            step("first", GRAPHQL, &json!({"query": "{ repository(owner: \"acme\", name: \"rocket\") { issues(first: 1) { nodes { number } } } }"})),
            step("", GRAPHQL, &json!({"query": ISSUE, "variables": {"n": "$first.data.repository.issues.nodes[0].number"}})),
            step("", "github.rest", &json!({"path": "/repos/acme/rocket/issues/{n}", "params": {"n": "$first.data.repository.issues.nodes[0].number"}})),
        ],
    )
    .await;
    let number = |index: usize| outcome.results[index].data.clone().unwrap_or_default();
    assert_eq!(outcome.meta.succeeded, 3, "{:?}", outcome.results);
    assert_eq!(
        number(1)["repository"]["issue"]["number"],
        number(2)["number"]
    );
}

#[tokio::test]
async fn a_part_that_fails_is_told_beside_the_others() {
    let bench = Bench::demo().await;
    let query = "{ there: repository(owner: \"acme\", name: \"rocket\") { name } gone: repository(owner: \"acme\", name: \"gone\") { name } }";
    let envelope = graphql(&bench, json!({"query": query})).await;
    assert!(envelope.ok);
    assert_eq!(
        envelope.data.unwrap(),
        json!({"there": {"name": "rocket"}, "gone": null})
    );
    assert!(
        envelope.meta.warnings[0].starts_with("gone: "),
        "{:?}",
        envelope.meta.warnings
    );
    let gone = graphql(
        &bench,
        json!({"query": "{ repository(owner: \"acme\", name: \"gone\") { name } }"}),
    )
    .await;
    assert_eq!(gone.error.unwrap().code, ErrorCode::NotFound);
}

#[tokio::test]
async fn wrong_documents_are_refused_with_their_place_before_anything_is_sent() {
    let bench = Bench::demo().await;
    for (input, expected) in [
        (
            json!({"query": "{\n  viewer {\n"}),
            "`query` is wrong in line 3, column 1: ",
        ),
        (
            json!({"query": "{ viewer { ...F } }"}),
            "`query` is wrong in line 1, column 1: there is no fragment `F`",
        ),
        (
            json!({"query": "{ a } { b }"}),
            "`query` is wrong in line 1, column 7: there are 2 operations",
        ),
        (json!({"query": "subscription { a }"}), "is a subscription"),
        (json!({"query": ISSUE}), "`variables.n` is missing"),
        (
            json!({"query": ISSUE, "variables": {"n": null}}),
            "`variables.n` is missing",
        ),
        (
            json!({"query": ISSUE, "variables": {"n": 1, "ownr": "x"}}),
            "did you mean `owner`?",
        ),
        (
            json!({"query": ISSUE, "variables": [1]}),
            "`variables` is not an object",
        ),
        (
            json!({"query": ISSUE, "variables": {"n": 1}, "operation": "X"}),
            "no operation `X`",
        ),
        (
            json!({"query": "query A { a } query A { b }", "operation": "A"}),
            "another operation `A`",
        ),
        (json!({"query": 3}), "`query` is not a text"),
        (json!({}), "`query` is missing"),
        (
            json!({"query": "{ viewer { login } }", "variable": {}}),
            "`variable` is not an input",
        ),
    ] {
        let error = graphql(&bench, input.clone()).await;
        assert_eq!(
            error.error.as_ref().map(|it| it.code),
            Some(ErrorCode::Validation),
            "{input}"
        );
        let message = message(error);
        assert!(message.contains(expected), "{input}: {message}");
    }
    assert!(bench.sim.requests().is_empty());
}
