//! Batches on the demonstration's world, and what they left behind.

use std::pin::pin;

use github_sim::world::{Issue, IssueRef, IssueState, Located};
use serde_json::{Value, json};

use crate::client::Host;

pub(super) const ROCKET: &str = r#"repository(owner: "acme", name: "rocket")"#;

/// Issues of the demonstration that are open.
pub(super) const OPEN: [u64; 3] = [1, 2, 3];

/// A mutation that closes these issues, the first under the alias `a1`.
pub(super) fn closing(host: &Host, numbers: &[u64]) -> Value {
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

/// A query for these issues, the first under the alias `a1`.
pub(super) fn viewing(numbers: &[u64]) -> Value {
    let fields = numbers.iter().enumerate().map(|(index, number)| {
        format!(
            "a{}: {ROCKET} {{ issue(number: {number}) {{ number }} }}",
            index + 1
        )
    });
    json!({ "query": format!("query Batch {{ {} }}", fields.collect::<Vec<_>>().join(" ")) })
}

/// The body of the answer to a request that is answered.
pub(super) async fn ask(host: &Host, body: Value) -> Value {
    let reply = host.call("POST", "/graphql", body).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

/// As [`ask`], for a document without variables.
pub(super) async fn query(host: &Host, document: &str) -> Value {
    ask(host, json!({ "query": document })).await
}

/// An issue's id as it stands in a document.
pub(super) fn node_id(host: &Host, number: u64) -> Value {
    host.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        let place = Located::Issue(IssueRef { repo, number });
        Value::from(world.node_id(&place).unwrap())
    })
}

/// Which of these issues are closed.
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

/// Sends a request and leaves without its answer, as soon as this holds.
pub(super) async fn leave_when(host: &Host, body: Value, holds: impl Fn() -> bool) {
    let mut send = pin!(host.send("POST", "/graphql", Some(body)));
    tokio::select! {
        answer = &mut send => panic!("it must not answer: {answer:?}"),
        () = until(holds) => {}
    }
}

/// Waits for something that other tasks bring about.
pub(super) async fn until(holds: impl Fn() -> bool) {
    while !holds() {
        tokio::task::yield_now().await;
    }
}
