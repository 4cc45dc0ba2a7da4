//! Conditional reads: what GitHub has sent and what has not changed is not sent again.

use capstan_core::{Route, Secret};
use github_sim::Sim;
use serde_json::{Value, json};

use crate::support::{Bench, Setup};

const ISSUE: &str = "issue.view";

fn issue() -> Value {
    json!({"owner": "acme", "repo": "rocket", "issue_number": 43})
}

/// Returns the status of each request since the last call.
fn statuses(sim: &Sim) -> Vec<u16> {
    let seen = sim.requests();
    sim.clear_requests();
    seen.iter().filter_map(|request| request.status).collect()
}

async fn read(bench: &Bench, capability: &str, input: &Value) -> Value {
    let envelope = bench.run_on(Route::Rest, capability, input).await;
    assert!(envelope.ok, "{envelope:?}");
    envelope.data.unwrap()
}

async fn with_token(sim: &Sim, token: &str) -> Bench {
    let setup = Setup {
        sim: sim.clone(),
        token: Some(Secret::new(token)),
        ..Setup::default()
    };
    Bench::set_up(setup).await
}

#[tokio::test]
async fn what_has_not_changed_is_not_sent_again() {
    let bench = Bench::demo().await;
    let first = read(&bench, ISSUE, &issue()).await;
    let sent = statuses(&bench.sim);
    assert!(sent.iter().all(|status| *status == 200), "{sent:?}");
    let second = read(&bench, ISSUE, &issue()).await;
    assert_eq!(second, first);
    let again = statuses(&bench.sim);
    assert_eq!(again, vec![304; sent.len()]);
}

#[tokio::test]
async fn a_write_is_seen_at_once() {
    let bench = Bench::demo().await;
    read(&bench, ISSUE, &issue()).await;
    let mut change = issue();
    change["title"] = json!("Another title");
    read(&bench, "issue.update", &change).await;
    statuses(&bench.sim);
    let seen = read(&bench, ISSUE, &issue()).await;
    assert_eq!(seen["title"], "Another title");
    assert!(statuses(&bench.sim).contains(&200));
}

#[tokio::test]
async fn pages_go_on_from_what_is_remembered() {
    let bench = Bench::demo().await;
    let input = json!({"owner": "acme", "repo": "rocket", "first": 2});
    let mut pages = Vec::new();
    for status in [200, 304] {
        let envelope = bench
            .run_on(Route::Rest, "repo.branches.list", &input)
            .await;
        assert_eq!(statuses(&bench.sim), [status]);
        pages.push(envelope.meta.pagination.unwrap());
    }
    assert!(pages[0].has_next_page);
    assert_eq!(pages[0], pages[1]);
}

#[tokio::test]
async fn nothing_is_used_with_another_token() {
    let sim = Sim::demo();
    let one = with_token(&sim, "ghp_0123456789abcdefghijABCDEFGHIJ012345").await;
    read(&one, "repo.branches.list", &issue_repo()).await;
    let other = with_token(&sim, "ghp_ABCDEFGHIJ0123456789abcdefghij543210").await;
    statuses(&sim);
    read(&other, "repo.branches.list", &issue_repo()).await;
    assert_eq!(statuses(&sim), [200]);
    read(&one, "repo.branches.list", &issue_repo()).await;
    assert_eq!(statuses(&sim), [304]);
}

fn issue_repo() -> Value {
    json!({"owner": "acme", "repo": "rocket"})
}

#[tokio::test]
async fn media_types_files_and_texts_are_kept_apart() {
    let bench = Bench::demo().await;
    let commit = json!({"owner": "acme", "repo": "rocket", "ref": "main"});
    let json = read(&bench, "repo.commits.view", &commit).await;
    let sha = read(&bench, "repo.commits.sha.view", &commit).await;
    assert_eq!(sha["text"], json["sha"]);
    assert_eq!(statuses(&bench.sim), [200, 200]);
    // Texts are always read in full.
    let again = read(&bench, "repo.commits.sha.view", &commit).await;
    assert_eq!(again, sha);
    assert_eq!(statuses(&bench.sim), [200]);
    let file = json!({"owner": "acme", "repo": "rocket", "path": "README.md"});
    for _ in 0..2 {
        read(&bench, "repo.contents.raw.view", &file).await;
        assert_eq!(statuses(&bench.sim), [200]);
    }
}
