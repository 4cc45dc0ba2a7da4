//! Cards that combine others: one step for the caller, several for GitHub.

use serde_json::json;

use super::bench::Bench;
use super::steps::{assert_all_ok, named, step, view};
use super::world::{is_closed, portrait};

#[tokio::test]
async fn one_edit_changes_many_things_in_one_mutation() {
    let bench = Bench::demo().await;
    let edit = step(
        "issue.edit",
        json!({"issue_number": 47, "title": "New", "add_labels": ["bug"], "add_assignees": ["tomas-silva"],
               "milestone": "v2.0 Orbital"}),
    );
    let alone = bench.run_alone(&edit).await;
    assert!(alone.ok, "{alone:?}");
    let data = alone.data.unwrap();
    assert_eq!(data["title"], "New");
    assert_eq!(data["assignees"], json!(["tomas-silva"]));
    assert_eq!(data["milestone"], "v2.0 Orbital");
    assert_eq!(data["changed"], true);
    let (_, writes) = bench.counts();
    assert_eq!(writes, 1, "all parts share a request");
}

#[tokio::test]
async fn what_follows_is_numbered_as_the_caller_numbered_it() {
    let bench = Bench::demo().await;
    let close = named(
        "done",
        step(
            "issue.close",
            json!({"issue_number": 1, "comment": "Fixed."}),
        ),
    );
    let steps = [
        close,
        view(2),
        step(
            "issue.comments.create",
            json!({"issue_number": "$done.data.number", "body": "$1.data.title"}),
        ),
        step("issue.view", json!({"issue_number": "$5.data.number"})),
    ];
    let refused = bench.run(&steps).await;
    let message = &refused.results[3].error.as_ref().unwrap().message;
    assert!(message.contains("numbered 0"), "{message}");
    assert!(
        refused.results[0]
            .error
            .as_ref()
            .unwrap()
            .message
            .contains("step 3")
    );
    let ran = bench.run(&steps[..3]).await;
    assert_all_ok(&ran);
    assert_eq!(ran.results.len(), 3);
    assert_eq!(ran.results[0].data.as_ref().unwrap()["commented"], true);
    assert!(is_closed(&bench.sim, 1));
    let comments = portrait(&bench.sim)[&1].comments.clone();
    let title = portrait(&bench.sim)[&2].title.clone();
    assert_eq!(comments[comments.len() - 2..], ["Fixed.".to_owned(), title]);
}

#[tokio::test]
async fn a_part_that_fails_says_what_was_done() {
    let bench = Bench::demo().await;
    let edit = step(
        "issue.edit",
        json!({"issue_number": 47, "title": "New", "add_labels": ["no such label"]}),
    );
    let error = bench.run_alone(&edit).await.error.unwrap();
    assert_eq!(error.code.as_str(), "NOT_FOUND", "{error:?}");
    assert!(
        error.message.starts_with("issue.labels.add: "),
        "{}",
        error.message
    );
    assert_eq!(error.details["done"], json!(["issue.update"]));
    assert_eq!(error.details["outcome"], "partial");
    assert!(!error.retryable);
    assert_eq!(portrait(&bench.sim)[&47].title, "New");
}

#[tokio::test]
async fn an_edit_of_nothing_is_refused() {
    let bench = Bench::demo().await;
    let error = bench
        .run_alone(&step("issue.edit", json!({"issue_number": 47})))
        .await
        .error;
    let message = error.unwrap().message;
    assert!(
        message.contains("give at least one of `title`"),
        "{message}"
    );
    assert_eq!(bench.counts(), (0, 0));
}
