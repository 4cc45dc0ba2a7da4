//! Questions that GitHub answers with 204 or 404 and nothing else.

use capstan_core::{ErrorCode, Route};
use github_sim::{Fault, FaultKind};
use serde_json::{Value, json};

use crate::support::Bench;

async fn answer(bench: &Bench, route: Route, capability: &str, input: &Value) -> Value {
    let envelope = bench.run_on(route, capability, input).await;
    assert!(envelope.ok, "{route}: {envelope:?}");
    envelope.data.unwrap()["answer"].clone()
}

#[tokio::test]
async fn yes_and_no_are_answers() {
    let rocket = json!({"owner": "acme", "repo": "rocket"});
    for route in [Route::Rest, Route::Cli] {
        let bench = Bench::demo().await;
        for (write, expected) in [("repo.star", true), ("repo.unstar", false)] {
            let envelope = bench.run_on(route, write, &rocket).await;
            assert!(envelope.ok, "{route}: {envelope:?}");
            let starred = answer(&bench, route, "repo.starred.check", &rocket).await;
            assert_eq!(starred, expected, "{route}");
        }
        let maya = json!({"owner": "acme", "repo": "rocket", "assignee": "maya-chen"});
        assert_eq!(
            answer(&bench, route, "repo.assignees.check", &maya).await,
            true
        );
        let nobody = json!({"owner": "acme", "repo": "rocket", "assignee": "nobody-here"});
        assert_eq!(
            answer(&bench, route, "repo.assignees.check", &nobody).await,
            false
        );
    }
}

#[tokio::test]
async fn what_is_no_answer_of_github_is_no_no() {
    let rocket = json!({"owner": "acme", "repo": "rocket"});
    for (fault, code) in [
        (FaultKind::Status401, ErrorCode::Auth),
        (FaultKind::Status500, ErrorCode::Server),
        (FaultKind::ResetBefore, ErrorCode::Network),
    ] {
        let bench = Bench::demo().await;
        bench.sim.inject(Fault::always(fault.clone()));
        let envelope = bench
            .run_on(Route::Rest, "repo.starred.check", &rocket)
            .await;
        assert_eq!(envelope.error.unwrap().code, code, "{fault:?}");
    }
}
