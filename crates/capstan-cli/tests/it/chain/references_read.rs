//! What is a reference and what only looks like one; those that cannot be are refused.

use capstan_core::ChainStep;
use serde_json::{Value, json};

use super::bench::Bench;
use super::steps::{assert_all_ok, codes, comment, message, named, step, view};
use super::world::comments_saying;

#[tokio::test]
async fn texts_that_only_look_alike_are_sent_as_they_are() {
    let bench = Bench::demo().await;
    let texts = [
        ("$5.00", "$5.00"),
        ("$HOME/x", "$HOME/x"),
        ("$", "$"),
        ("$$", "$$"),
        ("$ 0.data.id", "$ 0.data.id"),
        ("it costs $0.data.id", "it costs $0.data.id"),
        ("$$0.data.id, says he", "$0.data.id, says he"),
        ("$0.50", "$0.50"),
        ("$${0.data.id}", "${0.data.id}"),
        ("${HOME}/x", "${HOME}/x"),
        ("$$0.data.id", "$0.data.id"),
        ("$$nobody.data.id", "$nobody.data.id"),
        ("$$5.00", "$$5.00"),
        ("$\u{e9}t\u{e9}.data", "$\u{e9}t\u{e9}.data"),
    ];
    let mut steps = vec![view(1)];
    steps.extend(texts.iter().map(|(written, _)| comment(2, written)));
    assert_all_ok(&bench.run(&steps).await);
    for (written, sent) in texts {
        assert_eq!(comments_saying(&bench.sim, 2, sent), 1, "{written}");
    }
}

/// Whatever somebody wants to say, there is a way to write it.
#[tokio::test]
async fn every_text_can_be_written() {
    let bench = Bench::demo().await;
    for text in ["$0.data.id", "$$0.data.id", "$$$0.data.id"] {
        let written = ["$", "$$", "$$$"].map(|more| comment(2, &format!("{more}{text}")));
        let mut steps = vec![view(1)];
        steps.extend(written);
        bench.run(&steps).await;
        assert!(
            comments_saying(&bench.sim, 2, text) > 0,
            "{text} cannot be said"
        );
    }
}

/// A run of its own takes every text as it is; a chain of one has nothing to refer to.
#[tokio::test]
async fn alone_a_step_refers_to_nothing() {
    let bench = Bench::demo().await;
    let refers = comment(2, "$0.data.id");
    assert!(bench.run_alone(&refers).await.ok);
    assert_eq!(comments_saying(&bench.sim, 2, "$0.data.id"), 1);
    bench.clear();
    assert_eq!(codes(&bench.run(&[refers]).await), ["VALIDATION"]);
    assert_eq!(bench.counts(), (0, 0));
    assert_all_ok(&bench.run(&[comment(3, "$$0.data.id")]).await);
    assert_eq!(comments_saying(&bench.sim, 3, "$0.data.id"), 1);
}

/// What is wrong with a reference, and words that say so.
#[tokio::test]
async fn what_cannot_be_is_refused_before_anything_is_sent() {
    let bench = Bench::demo().await;
    let number = |text: &str| step("issue.view", json!({"issue_number": text}));
    let body = |text: &str| comment(2, text);
    let labels = |labels: Value| {
        step(
            "issue.labels.add",
            json!({"issue_number": 1, "labels": labels}),
        )
    };
    let cases: Vec<(ChainStep, &[&str])> = vec![
        (
            number("$0.data.title"),
            &["issue_number", "$0.data.title", "string", "integer"],
        ),
        (number("$0.data.labels"), &["array", "integer"]),
        (number("$0.data"), &["object", "integer"]),
        (body("$0.data.number"), &["integer", "string"]),
        (body("$0.data.labels"), &["array", "string"]),
        (labels(json!("$0.data.title")), &["string", "array"]),
        (
            labels(json!(["bug", "$0.data.number"])),
            &["labels.1", "integer", "string"],
        ),
        (
            step(
                "issue.close",
                json!({"issue_number": 1, "reason": "$0.data.state"}),
            ),
            &["reason", "open"],
        ),
        (number("$0.data.nubmer"), &["nubmer", "number"]),
        (number("$0.data.labels.first"), &["first", "object"]),
        (number("$0.data.title[0]"), &["array"]),
        (number("$0.number"), &["$0.number", ".data"]),
        (number("$isue.data.number"), &["isue", "issue", "$$isue"]),
        (number("$9.data.number"), &["$9", "does not exist"]),
        (number("$1.data.number"), &["step 1", "before"]),
        (number("$2.data.number"), &["step 2", "before"]),
        (number("$later.data.number"), &["later"]),
        (
            number("$99999999999999999999.data.number"),
            &["does not exist"],
        ),
        // They would be sent as they stand.
        (body("$issue"), &["body", "`$issue.data`", "$$issue"]),
        (body("$0"), &["body", "`$0.data`", "$$0"]),
        (
            body("$issue.data.labels.0"),
            &["body", "`$issue.data.labels[0]`", "$$issue.data.labels.0"],
        ),
        (body("$issue.data.labels[*]"), &["`$issue.data.labels[]`"]),
        (body("$issue.data[\"title\"]"), &["`$issue.data.title`"]),
        (body("$issue.data.title "), &["`$issue.data.title`"]),
        (body(" $issue.data.title"), &["`$issue.data.title`"]),
        (body("$issue.data.title!"), &["$issue.data.FIELD"]),
        (body("$later"), &["later", "before"]),
        (
            labels(json!(["bug", "$issue"])),
            &["labels.1", "$issue.data"],
        ),
    ];
    for (bad, words) in cases {
        let written = serde_json::to_string(&bad.request.input).unwrap();
        let steps = [named("issue", view(1)), bad, named("later", view(3))];
        let ran = bench.run(&steps).await;
        assert_eq!(codes(&ran), vec!["VALIDATION"; 3], "{written}");
        let said = message(&ran.results[1]);
        for word in words {
            assert!(said.contains(word), "{written}: `{word}` is not in: {said}");
        }
        for other in [0, 2] {
            assert_eq!(
                message(&ran.results[other]),
                "not run: step 1 failed validation"
            );
        }
        assert_eq!(bench.counts(), (0, 0), "{written}");
    }
}
