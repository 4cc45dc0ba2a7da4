//! Raw calls that write: policy, order, at most once, and what is never sent.

use capstan_core::{ErrorCode, Options};
use capstan_engine::{Policy, Settings};
use github_sim::{Fault, FaultKind};
use serde_json::{Value, json};

use super::bench::{GRAPHQL, REST, chain, data, graphql, rest, step};
use crate::support::{Bench, Setup, TOKEN};

fn comment(text: &str) -> Value {
    json!({"method": "POST", "path": "/repos/acme/rocket/issues/43/comments", "body": {"body": text}})
}

/// A mutation in a document that begins like a query.
fn close(id: &Value) -> Value {
    json!({
        "query": "\u{feff}# query Q { viewer { login } }\nfragment F on CloseIssuePayload { issue { number state } }\nmutation($id: ID!) { closeIssue(input: {issueId: $id}) { ...F } }",
        "variables": {"id": id},
    })
}

async fn bench(policy: Policy) -> Bench {
    let settings = Settings {
        policy,
        ..Setup::default().settings
    };
    Bench::set_up(Setup {
        settings,
        ..Setup::default()
    })
    .await
}

async fn issue_id(bench: &Bench) -> Value {
    let issue = rest(bench, json!({"path": "/repos/acme/rocket/issues/43"})).await;
    data(issue)["node_id"].clone()
}

#[tokio::test]
async fn writes_happen_once_and_are_answered() {
    let bench = Bench::demo().await;
    let comment = data(rest(&bench, comment("raw")).await);
    assert_eq!(comment["body"], "raw");
    let id = issue_id(&bench).await;
    let closed = data(graphql(&bench, close(&id)).await);
    assert_eq!(closed["closeIssue"]["issue"]["state"], "CLOSED");
    let applied = bench.sim.requests().into_iter().filter(|seen| seen.applied);
    assert_eq!(applied.count(), 2);
}

#[tokio::test]
async fn a_read_only_policy_refuses_every_write() {
    let bench = bench(Policy {
        read_only: true,
        ..Policy::default()
    })
    .await;
    let id = issue_id(&bench).await;
    let sent = bench.sim.requests().len();
    let mut refused = vec![(GRAPHQL, close(&id)), (REST, comment("no"))];
    for method in ["POST", "PUT", "PATCH", "DELETE", "delete"] {
        refused.push((
            REST,
            json!({"method": method, "path": "/repos/acme/rocket"}),
        ));
    }
    let two = "query A { viewer { login } } mutation B { addStar(input: {starrableId: \"x\"}) { clientMutationId } }";
    refused.push((GRAPHQL, json!({"query": two, "operation": "B"})));
    for (capability, input) in refused {
        let envelope = bench.run(capability, &input, Options::default()).await;
        let error = envelope.error.unwrap();
        assert_eq!(error.code, ErrorCode::Policy, "{input}: {}", error.message);
    }
    assert_eq!(bench.sim.requests().len(), sent);
    assert!(
        graphql(&bench, json!({"query": two, "operation": "A"}))
            .await
            .ok
    );
}

#[tokio::test]
async fn what_a_policy_denies_is_not_possible_by_another_name() {
    let bench = bench(Policy {
        deny: vec!["issue.close".to_owned(), "*.delete".to_owned()],
        ..Policy::default()
    })
    .await;
    let id = issue_id(&bench).await;
    let sent = bench.sim.requests().len();
    for (capability, input) in [
        (GRAPHQL, close(&id)),
        (
            GRAPHQL,
            json!({"query": "mutation { x: closeIssue(input: {issueId: \"x\"}) { clientMutationId } }"}),
        ),
        (
            REST,
            json!({"method": "PATCH", "path": "/repos/acme/rocket/issues/43", "body": {"state": "closed"}}),
        ),
        (
            REST,
            json!({"method": "PATCH", "path": "/repos/acme/rocket/%69ssues/43", "body": {"state": "closed"}}),
        ),
        (
            REST,
            json!({"method": "PATCH", "path": "/repos/acme/rocket/{kind}/43", "params": {"kind": "issues"}, "body": {}}),
        ),
        (
            REST,
            json!({"method": "DELETE", "path": "/repos/acme/rocket"}),
        ),
        (
            REST,
            json!({"method": "DELETE", "path": format!("http://{}/repos/acme/rocket", bench.addresses.address)}),
        ),
    ] {
        let envelope = bench.run(capability, &input, Options::default()).await;
        let error = envelope.error.unwrap();
        assert_eq!(error.code, ErrorCode::Policy, "{input}: {}", error.message);
        assert!(
            error.message.contains("sends such a request"),
            "{}",
            error.message
        );
    }
    assert_eq!(bench.sim.requests().len(), sent);
    assert!(rest(&bench, comment("allowed")).await.ok);
    let denied = self::bench(Policy {
        deny: vec!["github.*".to_owned()],
        ..Policy::default()
    })
    .await;
    let error = rest(&denied, json!({"path": "/user"})).await.error.unwrap();
    assert_eq!(error.code, ErrorCode::Policy);
}

#[tokio::test]
async fn a_write_with_a_lost_answer_is_never_sent_again() {
    for kind in [
        FaultKind::ResetAfter,
        FaultKind::Truncated,
        FaultKind::Status502Html,
    ] {
        let bench = Bench::demo().await;
        let id = issue_id(&bench).await;
        for (capability, input) in [(REST, comment("once")), (GRAPHQL, close(&id))] {
            let before = bench.sim.requests().len();
            bench.sim.inject(Fault::once(kind.clone()).on_writes());
            let envelope = bench.run(capability, &input, Options::default()).await;
            let error = envelope.error.unwrap();
            assert!(!error.retryable, "{kind:?}: {}", error.message);
            let outcome = error.details["outcome"].as_str().unwrap();
            assert!(
                ["unknown", "applied"].contains(&outcome),
                "{kind:?}: {outcome}"
            );
            assert_eq!(bench.sim.requests().len(), before + 1, "{kind:?}");
        }
    }
}

#[tokio::test]
async fn a_write_that_was_refused_says_so() {
    let bench = Bench::demo().await;
    let missing = json!({"method": "PATCH", "path": "/repos/acme/rocket/issues/99999", "body": {"title": "x"}});
    let error = rest(&bench, missing).await.error.unwrap();
    assert_eq!(error.code, ErrorCode::NotFound);
    assert_eq!(error.details["outcome"], "not_applied");
}

#[tokio::test]
async fn reads_after_a_write_see_it_and_nothing_follows_an_unknown_write() {
    let bench = Bench::demo().await;
    let id = issue_id(&bench).await;
    let state = json!({"query": "query($id: ID!) { node(id: $id) { ... on Issue { state } } }", "variables": {"id": id}});
    let steps = || {
        vec![
            step("", GRAPHQL, &state),
            step("", GRAPHQL, &close(&id)),
            step("", GRAPHQL, &state),
            step("", REST, &comment("after")),
        ]
    };
    let outcome = chain(&bench, steps()).await;
    let state_of =
        |index: usize| outcome.results[index].data.clone().unwrap()["node"]["state"].clone();
    assert_eq!(state_of(2), "CLOSED");
    let bench = Bench::demo().await;
    bench
        .sim
        .inject(Fault::once(FaultKind::ResetAfter).on_writes());
    let outcome = chain(&bench, steps()).await;
    let last = outcome.results[3].error.clone().unwrap();
    assert_eq!(last.code, ErrorCode::Cancelled, "{}", last.message);
    assert_eq!(last.details["outcome"], "not_applied");
}

#[tokio::test]
async fn masks_and_own_tokens_are_not_written() {
    let bench = Bench::demo().await;
    for (text, expected) in [
        ("see [redacted]", "which replaces a secret"),
        (TOKEN, "a token of Capstan itself"),
    ] {
        let mutation = json!({
            "query": "mutation($b: String!) { addComment(input: {subjectId: \"x\", body: $b}) { clientMutationId } }",
            "variables": {"b": text},
        });
        let in_text = json!({
            "query": format!("mutation {{ addComment(input: {{subjectId: \"x\", body: \"{text}\"}}) {{ clientMutationId }} }}"),
        });
        for (capability, input) in [
            (REST, comment(text)),
            (GRAPHQL, mutation),
            (GRAPHQL, in_text),
        ] {
            let envelope = bench.run(capability, &input, Options::default()).await;
            let error = envelope.error.unwrap();
            assert_eq!(error.code, ErrorCode::Validation, "{input}");
            assert!(error.message.contains(expected), "{}", error.message);
            assert!(!error.message.contains(TOKEN));
        }
    }
    assert!(bench.sim.requests().is_empty());
}
