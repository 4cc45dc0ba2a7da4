//! References to what is not there after all, and to steps that failed.

use capstan_core::ChainStatus;
use serde_json::json;

use super::bench::Bench;
use super::steps::{close, codes, comment, message, outcome, retitle, step, view};
use super::world::{comments_saying, is_closed, portrait};

#[tokio::test]
async fn a_value_that_is_not_there_fails_its_step_alone() {
    let bench = Bench::demo().await;
    let cases = [
        // Issue 2 has no milestone, and nobody has opened anything under that name.
        ("$0.data.milestone", "has no value"),
        ("$1.data.issues[0].title", "has no value"),
    ];
    for (written, words) in cases {
        bench.clear();
        let steps = [
            view(2),
            step("issue.list", json!({"author": "lena-koch", "label": "gnc"})),
            step(
                "issue.comments.create",
                json!({"issue_number": 1, "body": written}),
            ),
            comment(3, written.trim_start_matches('$')),
            step("issue.view", json!({"issue_number": 5})),
        ];
        let ran = bench.run(&steps).await;
        assert_eq!(
            codes(&ran),
            ["ok", "ok", "VALIDATION", "ok", "ok"],
            "{written}"
        );
        let said = message(&ran.results[2]);
        assert!(said.contains(words) && said.contains(written), "{said}");
        assert_eq!(ran.status, ChainStatus::Partial);
    }
}

#[tokio::test]
async fn a_value_that_does_not_fit_after_all_fails_its_step_alone() {
    let bench = Bench::demo().await;
    let steps = [
        view(1),
        // A title is a text like the name of a repository, but this one has blanks in it.
        step(
            "issue.view",
            json!({"repo": "$0.data.title", "issue_number": 1}),
        ),
        view(2),
    ];
    let ran = bench.run(&steps).await;
    assert_eq!(codes(&ran), ["ok", "VALIDATION", "ok"]);
    assert!(
        message(&ran.results[1]).contains("repo"),
        "{}",
        message(&ran.results[1])
    );
    assert_eq!(bench.counts(), (1, 0));
}

#[tokio::test]
async fn what_depends_on_a_failure_is_skipped_and_the_rest_goes_on() {
    let bench = Bench::demo().await;
    let from = |step: usize| format!("${step}.data.number");
    let steps = [
        view(4711),
        step("issue.close", json!({"issue_number": from(0)})),
        step("issue.view", json!({"issue_number": from(1)})),
        close(1),
        step(
            "issue.comments.create",
            json!({"issue_number": from(3), "body": "done"}),
        ),
        // Needs one that succeeds and one that does not.
        step(
            "issue.comments.create",
            json!({"issue_number": from(3), "body": "$2.data.title"}),
        ),
        retitle(2, "Igniter"),
    ];
    let ran = bench.run(&steps).await;
    let expected = [
        "NOT_FOUND",
        "CANCELLED",
        "CANCELLED",
        "ok",
        "ok",
        "CANCELLED",
        "ok",
    ];
    assert_eq!(codes(&ran), expected);
    for (skipped, needed) in [(1, 0), (2, 1), (5, 2)] {
        let result = &ran.results[skipped];
        assert_eq!(
            message(result),
            format!("skipped: depends on step {needed}")
        );
        assert_eq!(result.error.as_ref().unwrap().details["step"], needed);
        assert!(matches!(outcome(result), "not_applied" | "-"), "{result:?}");
    }
    assert_eq!((ran.meta.succeeded, ran.meta.failed), (3, 4));
    assert!(is_closed(&bench.sim, 1));
    assert_eq!(comments_saying(&bench.sim, 1, "done"), 1);
    assert_eq!(portrait(&bench.sim)[&2].title, "Igniter");
}

/// A write that never left did not happen, and its result says so like that of every other write.
#[tokio::test]
async fn a_skipped_write_says_that_it_was_not_applied() {
    let bench = Bench::demo().await;
    let steps = [
        view(4711),
        step("issue.close", json!({"issue_number": "$0.data.number"})),
        view(2),
        comment(1, "$2.data.milestone"),
    ];
    let ran = bench.run(&steps).await;
    for write in [1, 3] {
        let result = &ran.results[write];
        assert_eq!(outcome(result), "not_applied", "{result:?}");
    }
}
