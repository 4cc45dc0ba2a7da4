//! Helpers to send batches to the demonstration and to check their effects.

use std::pin::pin;

use github_sim::world::{Issue, IssueRef, IssueState, Located};
use serde_json::{Value, json};

use crate::client::Host;

pub(super) const ROCKET: &str = r#"repository(owner: "acme", name: "rocket")"#;

/// Numbers of open issues of the demonstration.
pub(super) const OPEN: [u64; 3] = [1, 2, 3];

/// Returns a mutation that closes these issues, with the aliases `a1`, `a2` and so on.
pub(super) fn close_batch(host: &Host, numbers: &[u64]) -> Value {
    let mut fields = Vec::new();
    for (index, number) in numbers.iter().enumerate() {
        let id = node_id(host, *number);
        fields.push(format!(
            "a{}: closeIssue(input: {{issueId: {id}}}) {{ issue {{ number state }} }}",
            index + 1
        ));
    }
    json!({ "query": format!("mutation Batch {{ {} }}", fields.join(" ")) })
}

/// Returns a query for these issues, with the aliases `a1`, `a2` and so on.
pub(super) fn view_batch(numbers: &[u64]) -> Value {
    let fields = numbers.iter().enumerate().map(|(index, number)| {
        format!(
            "a{}: {ROCKET} {{ issue(number: {number}) {{ number }} }}",
            index + 1
        )
    });
    json!({ "query": format!("query Batch {{ {} }}", fields.collect::<Vec<_>>().join(" ")) })
}

/// Sends a request and returns the body of the response.
pub(super) async fn ask(host: &Host, body: Value) -> Value {
    let reply = host.call("POST", "/graphql", body).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

/// Like [`ask`], for a document without variables.
pub(super) async fn query(host: &Host, document: &str) -> Value {
    ask(host, json!({ "query": document })).await
}

/// Returns the node id of an issue as a literal for a document.
pub(super) fn node_id(host: &Host, number: u64) -> Value {
    host.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        let place = Located::Issue(IssueRef { repo, number });
        Value::from(world.node_id(&place).unwrap())
    })
}

/// Returns those of the issues that are closed.
pub(super) fn closed(host: &Host, numbers: &[u64]) -> Vec<u64> {
    let is_closed = |number: &u64| issue(host, *number).state == IssueState::Closed;
    numbers.iter().copied().filter(is_closed).collect()
}

pub(super) fn issue(host: &Host, number: u64) -> Issue {
    host.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        world.issue_at(IssueRef { repo, number }).unwrap().clone()
    })
}

/// Sends a request and closes the connection as soon as `holds` returns true, without reading the response.
pub(super) async fn disconnect_when(host: &Host, body: Value, holds: impl Fn() -> bool) {
    let mut send = pin!(host.send("POST", "/graphql", Some(body)));
    tokio::select! {
        answer = &mut send => panic!("it must not answer: {answer:?}"),
        () = until(holds) => {}
    }
}

/// Waits until `holds` returns true.
pub(super) async fn until(holds: impl Fn() -> bool) {
    while !holds() {
        tokio::task::yield_now().await;
    }
}
