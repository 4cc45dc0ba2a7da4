//! The walking skeleton: one operation, three routes, one answer.

use capstan_core::Route;
use serde_json::json;

use crate::support::Bench;

#[tokio::test]
async fn one_issue_is_the_same_on_every_route() {
    let bench = Bench::demo().await;
    let input = json!({"owner": "acme", "repo": "rocket", "issue_number": 1});
    let mut answers = Vec::new();
    for route in Route::GITHUB {
        let envelope = bench.run_on(route, "issue.view", &input).await;
        assert!(envelope.ok, "{route}: {:?}", envelope.error);
        assert_eq!(envelope.meta.route_used, Some(route));
        answers.push(serde_json::to_string(&envelope.data).unwrap());
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
}
