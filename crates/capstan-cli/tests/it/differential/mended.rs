//! What is offered to mend a failure does: it can be sent as it stands, and finds what was in the way.

use capstan_core::{Options, Route};
use serde_json::json;

use crate::support::Bench;

/// Lists know branches without their owners.
#[tokio::test]
async fn a_pull_request_that_is_there_already_is_found() {
    let bench = Bench::demo().await;
    for head in ["engine-vote", "acme:engine-vote"] {
        for route in Route::GITHUB {
            let input = json!({
                "owner": "acme", "repo": "rocket", "title": "Vote", "head": head, "base": "main",
            });
            let refused = bench.run_on(route, "pr.create", &input).await;
            let error = refused.error.expect("a refusal");
            let call = &error.details["mend"]["arguments"];
            assert_eq!(call["capability"], "pr.list", "{head}: {error:?}");
            let found = bench
                .run("pr.list", &call["input"], Options::default())
                .await;
            let data = found.data.expect("a list");
            let rows = data["pull_requests"].as_array().unwrap();
            assert!(
                rows.iter().any(|row| row["number"] == 27),
                "{head} on {route}: {data}"
            );
        }
    }
}
