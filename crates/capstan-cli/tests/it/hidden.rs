//! An answer is taken for what it proves: what a token may not see is not reported as if it were not
//! there, and the answer to something else is no proof of a write.

use std::sync::Arc;
use std::time::Instant;

use capstan_catalog::Catalog;
use capstan_core::port::{Answer, BoxFuture, Failure, PartialError, Preflight, RouteAdapter};
use capstan_core::{
    ErrorCode, Redactor, ResultEnvelope, ResultError, Route, RouteRequest, TaskRequest,
};
use capstan_engine::{Capstan, Services, Settings};
use serde_json::{Value, json};

use crate::support::QuickClock;

/// Answers every request alike.
struct Canned(Route, Value, Vec<PartialError>);

impl RouteAdapter for Canned {
    fn route(&self) -> Route {
        self.0
    }

    fn preflight(&self) -> BoxFuture<'_, Preflight> {
        Box::pin(std::future::ready(Preflight::Ready))
    }

    fn send<'a>(
        &'a self,
        _: &'a RouteRequest,
        _: Instant,
    ) -> BoxFuture<'a, Result<Answer, Failure>> {
        Box::pin(std::future::ready(Ok(Answer {
            errors: self.2.clone(),
            ..Answer::of(self.1.clone())
        })))
    }
}

/// GitHub's answer to a fine-grained token that may not read check runs.
async fn checks_of(nodes: Value, errors: Vec<PartialError>) -> ResultEnvelope {
    let contexts = json!({"totalCount": 2, "nodes": nodes});
    let rollup = json!({"commit": {"statusCheckRollup": {"contexts": contexts}}});
    let body = json!({"repository": {"pullRequest": {"commits": {"nodes": [rollup]}}}});
    let input = json!({"owner": "acme", "repo": "rocket", "pr_number": 27});
    run(
        Canned(Route::Graphql, body, errors),
        "pr.checks.list",
        &input,
    )
    .await
}

async fn run(adapter: Canned, capability: &str, input: &Value) -> ResultEnvelope {
    let capstan = Capstan::new(
        Catalog::new(&capstan_cards::CARDS),
        vec![Arc::new(adapter)],
        Arc::new(QuickClock::default()),
        Redactor::default(),
        Settings::default(),
        Services::default(),
    );
    let request = TaskRequest {
        capability: capability.to_owned(),
        input: input.as_object().cloned().unwrap(),
        options: capstan_core::Options::default(),
        intent: None,
    };
    capstan.execute_task(&request).await
}

fn forbidden(row: u64) -> PartialError {
    let path = [
        "repository",
        "pullRequest",
        "commits",
        "nodes",
        "0",
        "commit",
        "statusCheckRollup",
        "contexts",
        "nodes",
    ];
    let mut path = path.map(str::to_owned).to_vec();
    path.push(row.to_string());
    let error = ResultError::new(
        ErrorCode::Auth,
        "Resource not accessible by personal access token",
    );
    PartialError {
        failure: Box::new(Failure::not_sent(error)),
        path,
    }
}

#[tokio::test]
async fn checks_that_are_hidden_have_not_passed() {
    let hidden = checks_of(json!([null, null]), vec![forbidden(0), forbidden(1)]).await;
    let error = hidden.error.expect("a failure");
    assert_eq!(error.code, ErrorCode::Auth, "{}", error.message);
    assert_eq!(hidden.data, None);

    let run = json!({"name": "build", "status": "COMPLETED", "conclusion": "SUCCESS", "detailsUrl": "https://x"});
    let seen = checks_of(json!([run, run]), Vec::new()).await;
    assert_eq!(seen.data.unwrap()["passed"], 2, "{:?}", seen.error);
}

/// `gh api` follows a redirect of a write with a read: what comes back is a list, or the thing as it
/// was before.
#[tokio::test]
async fn the_answer_to_a_read_does_not_prove_a_write() {
    let open = json!({
        "node_id": "I_1", "number": 1, "title": "t", "state": "open", "html_url": "https://x", "state_reason": null,
    });
    let issue = json!({"owner": "acme", "repo": "rocket", "issue_number": 1});
    let title = json!({"owner": "acme", "repo": "rocket", "title": "t"});
    for (capability, input, answer) in [
        ("issue.create", title, json!([open])),
        ("issue.close", issue, open),
    ] {
        let envelope = run(Canned(Route::Rest, answer, Vec::new()), capability, &input).await;
        let error = envelope.error.expect("a failure");
        assert_eq!(
            error.details["outcome"], "unknown",
            "{capability}: {}",
            error.message
        );
    }
}
