//! What pr.merge refuses is what pr.view lists, in every state that GitHub can show, and what could
//! not be read is never taken for something that is not there.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use capstan_catalog::Catalog;
use capstan_core::card::Operation;
use capstan_core::port::{Answer, BoxFuture, Failure, Preflight, RouteAdapter};
use capstan_core::{
    ErrorCode, Options, Redactor, ResultEnvelope, Route, RouteRequest, TaskRequest,
};
use capstan_engine::{Capstan, Services, Settings};
use github_sim::{Fault, FaultKind};
use serde_json::{Value, json};

use crate::support::{Bench, QuickClock};

/// A pull request as GitHub shows it: `answers` one after the other, the last of them for good.
struct Shown {
    answers: Vec<Value>,
    reads: AtomicUsize,
    writes: Arc<Mutex<usize>>,
}

impl RouteAdapter for Shown {
    fn route(&self) -> Route {
        Route::Graphql
    }

    fn preflight(&self) -> BoxFuture<'_, Preflight> {
        Box::pin(std::future::ready(Preflight::Ready))
    }

    fn send<'a>(
        &'a self,
        request: &'a RouteRequest,
        _: Instant,
    ) -> BoxFuture<'a, Result<Answer, Failure>> {
        let pull = if request.operation() == Operation::Write {
            *self.writes.lock().unwrap() += 1;
            let merged = json!({"number": 1, "mergeCommit": {"oid": "a"}, "url": "https://x"});
            let body = json!({"mergePullRequest": {"pullRequest": merged}});
            return Box::pin(std::future::ready(Ok(Answer::of(body))));
        } else {
            let read = self.reads.fetch_add(1, Ordering::SeqCst);
            &self.answers[read.min(self.answers.len() - 1)]
        };
        let repository = json!({"pullRequest": pull});
        let body = json!({
            "repository": repository, "pr_merge_pr_0": repository, "pr_merge_checks_0": repository,
        });
        Box::pin(std::future::ready(Ok(Answer::of(body))))
    }
}

/// An open pull request that nothing is against, with some of it changed.
fn pull(changes: &Value, checks: &Value) -> Value {
    let counts: Vec<Value> = Vec::new();
    let contexts = json!({
        "totalCount": checks.as_array().unwrap().len(), "nodes": checks,
        "checkRunCountsByState": counts, "statusContextCountsByState": counts,
    });
    let passed = ["SUCCESS", "NEUTRAL", "SKIPPED"];
    let has_passed = |check: &Value| {
        let end = check.get("conclusion").or(check.get("state"));
        passed.contains(&end.and_then(Value::as_str).unwrap_or_default())
    };
    let all = checks.as_array().unwrap().iter().all(has_passed);
    let rollup = json!({"state": if all { "SUCCESS" } else { "PENDING" }, "contexts": contexts});
    let rollup = if checks == &json!([]) {
        Value::Null
    } else {
        rollup
    };
    let mut pull = json!({
        "id": "PR_1", "number": 1, "title": "t", "state": "OPEN", "isDraft": false, "merged": false,
        "url": "https://x", "author": {"login": "ada"}, "headRefName": "h", "headRefOid": "0".repeat(40),
        "baseRefName": "main", "body": "", "labels": {"nodes": []}, "mergeStateStatus": "CLEAN",
        "reviewDecision": null, "latestOpinionatedReviews": {"nodes": []}, "mergeCommit": null,
        "reviewRequests": {"nodes": []}, "assignees": {"nodes": []}, "milestone": null,
        "reviewThreads": {"nodes": []}, "additions": 1, "deletions": 1, "changedFiles": 1,
        "comments": {"totalCount": 0}, "createdAt": "2026-01-01T00:00:00Z",
        "updatedAt": "2026-01-01T00:00:00Z", "commits": {"nodes": [{"commit": {"statusCheckRollup": rollup}}]},
    });
    for (name, value) in changes.as_object().unwrap() {
        pull[name] = value.clone();
    }
    pull
}

fn run(required: bool, conclusion: &Value) -> Value {
    json!({"name": "build", "conclusion": conclusion, "isRequired": required})
}

fn status(required: bool, state: &str) -> Value {
    json!({"context": "ci/x", "state": state, "isRequired": required})
}

struct Done {
    envelope: ResultEnvelope,
    writes: usize,
}

async fn call(answers: Vec<Value>, capability: &str, admin: bool) -> Done {
    let writes = Arc::new(Mutex::new(0));
    let adapter = Shown {
        answers,
        reads: AtomicUsize::new(0),
        writes: Arc::clone(&writes),
    };
    let capstan = Capstan::new(
        Catalog::new(&capstan_cards::CARDS),
        vec![Arc::new(adapter)],
        Arc::new(QuickClock::default()),
        Redactor::default(),
        Settings::default(),
        Services::default(),
    );
    let mut input = json!({"owner": "acme", "repo": "rocket", "pr_number": 1});
    if admin {
        input["admin"] = true.into();
    }
    let request = TaskRequest {
        capability: capability.to_owned(),
        input: input.as_object().cloned().unwrap(),
        options: Options::default(),
        intent: None,
    };
    let envelope = capstan.execute_task(&request).await;
    let writes = *writes.lock().unwrap();
    Done { envelope, writes }
}

/// What each state refuses a merge for.
#[tokio::test]
async fn a_merge_is_refused_for_what_the_view_lists() {
    let against = json!({"nodes": [{"state": "CHANGES_REQUESTED", "author": null}]});
    let pending = "required checks have not finished: build";
    let computing = "GitHub is still computing whether it can be merged: ask again in a moment";
    let states: Vec<(Value, Value, Vec<&str>)> = vec![
        (json!({}), json!([]), vec![]),
        (json!({}), json!([run(true, &json!("SUCCESS"))]), vec![]),
        (json!({}), json!([run(true, &json!("NEUTRAL"))]), vec![]),
        (json!({}), json!([run(true, &json!("SKIPPED"))]), vec![]),
        (json!({"mergeStateStatus": "HAS_HOOKS"}), json!([]), vec![]),
        (
            json!({"mergeStateStatus": "UNSTABLE"}),
            json!([run(false, &json!("FAILURE"))]),
            vec![],
        ),
        (
            json!({"mergeStateStatus": "UNSTABLE"}),
            json!([run(false, &Value::Null)]),
            vec![],
        ),
        (
            json!({}),
            json!([run(true, &json!("FAILURE"))]),
            vec!["required checks failed: build"],
        ),
        (
            json!({}),
            json!([run(true, &json!("CANCELLED"))]),
            vec!["required checks failed: build"],
        ),
        (json!({}), json!([run(true, &Value::Null)]), vec![pending]),
        (
            json!({}),
            json!([run(true, &json!("STALE"))]),
            vec![pending],
        ),
        (
            json!({"mergeStateStatus": "UNSTABLE"}),
            json!([run(true, &Value::Null)]),
            vec![pending],
        ),
        (
            json!({}),
            json!([status(true, "ERROR")]),
            vec!["required checks failed: ci/x"],
        ),
        (
            json!({}),
            json!([status(true, "EXPECTED")]),
            vec!["required checks have not finished: ci/x"],
        ),
        (
            json!({"mergeStateStatus": "UNKNOWN"}),
            json!([]),
            vec![computing],
        ),
        (
            json!({"mergeStateStatus": "UNKNOWN"}),
            json!([run(true, &Value::Null)]),
            vec![pending, computing],
        ),
        (
            json!({"reviewDecision": "CHANGES_REQUESTED"}),
            json!([]),
            vec!["changes requested"],
        ),
        (
            json!({"latestOpinionatedReviews": against}),
            json!([]),
            vec!["changes requested by ghost"],
        ),
        (
            json!({"reviewDecision": "CHANGES_REQUESTED", "latestOpinionatedReviews": against}),
            json!([]),
            vec!["changes requested by ghost"],
        ),
        (
            json!({"reviewDecision": "REVIEW_REQUIRED"}),
            json!([]),
            vec!["a review is required"],
        ),
        (
            json!({"mergeStateStatus": "BLOCKED"}),
            json!([]),
            vec!["a rule of the base branch blocks it"],
        ),
        (
            json!({"mergeStateStatus": "BEHIND"}),
            json!([]),
            vec!["it is behind the base branch"],
        ),
        (
            json!({"mergeStateStatus": "DIRTY"}),
            json!([]),
            vec!["it conflicts with the base branch"],
        ),
        (
            json!({"isDraft": true, "mergeStateStatus": "DRAFT"}),
            json!([]),
            vec!["it is a draft"],
        ),
        (json!({"state": "CLOSED"}), json!([]), vec!["it is closed"]),
    ];
    for (changes, checks, expected) in states {
        let told = format!("{changes} {checks}");
        let shown = pull(&changes, &checks);
        let view = call(vec![shown.clone()], "pr.view", false).await.envelope;
        let data = view
            .data
            .unwrap_or_else(|| panic!("{told}: {:?}", view.error));
        assert_eq!(data["blockers"], json!(expected), "{told}");
        if !expected.is_empty() {
            assert_eq!(data["ready"], false, "{told}");
        }
        let merge = call(vec![shown], "pr.merge", false).await;
        assert_eq!(merge.writes, usize::from(expected.is_empty()), "{told}");
        match merge.envelope.error {
            None => assert!(expected.is_empty(), "{told}"),
            Some(error) => {
                assert_eq!(error.code, ErrorCode::Conflict, "{told}: {}", error.message);
                assert_eq!(error.details["outcome"], "not_applied", "{told}");
                assert_eq!(error.details["reasons"], json!(expected), "{told}");
            }
        }
    }
}

/// An optional check does not block a merge, but what has not all passed is not ready.
#[tokio::test]
async fn an_optional_check_that_failed_is_warned_of() {
    let shown = pull(
        &json!({"mergeStateStatus": "UNSTABLE"}),
        &json!([run(false, &json!("FAILURE"))]),
    );
    let view = call(vec![shown], "pr.view", false).await.envelope;
    let data = view.data.unwrap();
    assert_eq!(
        (&data["ready"], &data["blockers"]),
        (&json!(false), &json!([]))
    );
    let warnings = view.meta.warnings.join("; ");
    assert!(
        warnings.contains("not required") && warnings.contains("build"),
        "{warnings}"
    );
}

#[tokio::test]
async fn a_merge_state_that_is_being_computed_is_asked_for_again() {
    let computing = pull(&json!({"mergeStateStatus": "UNKNOWN"}), &json!([]));
    let clean = pull(&json!({}), &json!([]));
    let done = call(vec![computing.clone(), clean], "pr.merge", false).await;
    assert!(done.envelope.ok, "{:?}", done.envelope.error);
    assert_eq!(done.writes, 1);

    let refused = call(vec![computing.clone()], "pr.merge", false).await;
    assert!(refused.envelope.error.unwrap().retryable);
    assert_eq!(refused.writes, 0);

    let insisted = call(vec![computing], "pr.merge", true).await;
    assert!(insisted.envelope.ok, "{:?}", insisted.envelope.error);
}

/// What GitHub refuses anyway is not sent, and no override is advertised.
#[tokio::test]
async fn an_override_is_offered_only_where_it_helps() {
    let draft = pull(
        &json!({"isDraft": true, "mergeStateStatus": "DRAFT"}),
        &json!([]),
    );
    for admin in [false, true] {
        let refused = call(vec![draft.clone()], "pr.merge", admin).await;
        let error = refused.envelope.error.expect("a refusal");
        assert!(!error.message.contains("admin"), "{}", error.message);
        assert_eq!(refused.writes, 0);
    }
}

/// An error at a path of the next request with this name.
fn unreadable(error_type: &str, path: &str, name: &str) -> Fault {
    let fault = Fault::once(FaultKind::GraphqlError {
        error_type: error_type.to_owned(),
        message: "no such luck".to_owned(),
        path: Some(vec![path.into()]),
    });
    fault.named(name)
}

#[tokio::test]
async fn a_merge_whose_checks_cannot_be_read_is_refused() {
    for (kind, retried) in [
        ("SERVICE_UNAVAILABLE", true),
        ("INTERNAL", true),
        ("FORBIDDEN", false),
    ] {
        let bench = Bench::demo().await;
        // Together with the other lookup, and when it is repeated alone.
        for (path, name) in [
            ("pr_merge_checks_0", "pr_merge_checks_0"),
            ("repository", "ChecksToMerge"),
        ] {
            bench.sim.inject(unreadable(kind, path, name).times(9));
        }
        let input = json!({"owner": "acme", "repo": "rocket", "pr_number": 33});
        let refused = bench.run("pr.merge", &input, Options::default()).await;
        let error = refused
            .error
            .unwrap_or_else(|| panic!("{kind}: it was merged"));
        assert_eq!(error.details["outcome"], "not_applied", "{kind}");
        assert!(
            error.message.contains("its checks could not be read"),
            "{}",
            error.message
        );
        assert!(error.message.contains("`admin: true`"), "{}", error.message);
        assert_eq!(error.retryable, retried, "{kind}: {}", error.message);
        let wrote = bench.sim.requests().iter().any(|it| it.applied);
        assert!(!wrote, "{kind}: it was sent");
    }
}

/// One fault passes: the lookup is repeated, as every read is.
#[tokio::test]
async fn checks_that_can_be_read_the_second_time_are_read() {
    let bench = Bench::demo().await;
    let together = "pr_merge_checks_0";
    bench
        .sim
        .inject(unreadable("SERVICE_UNAVAILABLE", together, together));
    let input = json!({"owner": "acme", "repo": "rocket", "pr_number": 33});
    let done = bench.run("pr.merge", &input, Options::default()).await;
    assert!(done.ok, "{:?}", done.error);
    let warnings = done.meta.warnings.join("; ");
    assert!(
        warnings.contains("checks failed"),
        "the checks were not read: {warnings}"
    );
}

/// The two cards cannot drift apart: the view's blockers are the merge's rules.
#[test]
fn the_rules_of_a_merge_are_the_blockers_of_a_view() {
    let read = |name: &str| {
        let path = format!("{}/../../cards/pr/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).unwrap()
    };
    let (merge, view) = (read("merge"), read("view"));
    let rules = merge.lines().filter_map(|line| {
        let rule = line.trim().strip_prefix("- because: '{")?;
        rule.strip_suffix("}'")
    });
    let rules: Vec<String> = rules
        .map(|rule| {
            let checks = "commits.nodes[0].commit.statusCheckRollup.";
            rule.replace("$pr.", "").replace("$checks.", checks)
        })
        .collect();
    assert!(rules.len() > 5, "{rules:?}");
    let mut expected = format!("({}) | list", rules[0]);
    for rule in &rules[1..] {
        expected.push_str(&format!(" | concat(({rule}) | list)"));
    }
    let words = view.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains(&format!("ready: >- not ( {expected} ) and")),
        "{expected}"
    );
    assert!(
        words.contains(&format!("blockers: >- {expected} | default(")),
        "{expected}"
    );
    assert_eq!(merge.matches("because:").count(), rules.len());
}
