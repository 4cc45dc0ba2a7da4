//! Steps that use what earlier steps found: filled in when it is known, one request for each level.

use capstan_core::{ChainStatus, ChainStep};
use github_sim::world::World;
use serde_json::{Value, json};

use super::bench::Bench;
use super::cards;
use super::steps::{
    assert_all_ok, close, codes, comment, create, exactly, message, named, outcome, retitle, step,
    view,
};
use super::world::{comments_saying, is_closed, portrait};

#[tokio::test]
async fn a_new_issue_is_commented_on_and_closed() {
    let bench = Bench::with_cards(vec![cards::remark()]).await;
    let steps = [
        named("issue", create("Igniter")),
        exactly(
            "remark.create",
            &json!({"id": "$issue.data.id", "body": "by name"}),
        ),
        exactly(
            "remark.create",
            &json!({"id": "$0.data.id", "body": "by number"}),
        ),
        step("issue.close", json!({"issue_number": "$issue.data.number"})),
    ];
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    // The repository is looked up, the issue is opened; then its number leads to its id, and those
    // who were given the id go with the one that had to look it up.
    assert_eq!(bench.counts(), (2, 2));
    assert_eq!(ran.meta.requests, 4);
    assert!(is_closed(&bench.sim, 50));
    for text in ["by name", "by number"] {
        assert_eq!(comments_saying(&bench.sim, 50, text), 1, "{text}");
    }
}

#[tokio::test]
async fn there_is_one_request_for_each_level() {
    let bench = Bench::with_cards(vec![cards::remark()]).await;
    assert!(bench.run_alone(&create("To warm the cache")).await.ok);
    for depth in 1..5 {
        bench.clear();
        let mut steps: Vec<ChainStep> = Vec::new();
        for level in 0..depth {
            for _ in 0..3 {
                let earlier = steps.len().saturating_sub(3);
                steps.push(match level {
                    0 => create(&format!("Issue {}", steps.len())),
                    // What is said about one is said about the next.
                    _ => step(
                        "issue.create",
                        json!({"title": format!("${earlier}.data.url")}),
                    ),
                });
            }
        }
        let ran = bench.run(&steps).await;
        assert_all_ok(&ran);
        assert_eq!(bench.counts(), (0, depth), "{depth} levels");
    }
}

#[tokio::test]
async fn reads_follow_each_other_too() {
    let bench = Bench::demo().await;
    let steps = [
        named("newest", step("issue.list", json!({"first": 2}))),
        step(
            "issue.view",
            json!({"issue_number": "$newest.data.issues[1].number"}),
        ),
        step(
            "issue.list",
            json!({"author": "$1.data.author", "first": 1}),
        ),
        // Beside the second, for it needs only the first.
        step(
            "issue.view",
            json!({"issue_number": "$0.data.issues[0].number"}),
        ),
    ];
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    assert_eq!(bench.counts(), (3, 0));
    let data: Vec<_> = ran
        .results
        .iter()
        .map(|it| it.data.clone().unwrap())
        .collect();
    assert_eq!(data[1]["number"], data[0]["issues"][1]["number"]);
    assert_eq!(data[2]["issues"][0]["author"], data[1]["author"]);
    assert_eq!(data[3]["number"], data[0]["issues"][0]["number"]);
}

#[tokio::test]
async fn lists_and_their_elements_are_values() {
    let bench = Bench::demo().await;
    let steps = [
        named("from", view(1)),
        step(
            "issue.labels.add",
            json!({"issue_number": 2, "labels": "$from.data.labels"}),
        ),
        step(
            "issue.labels.add",
            json!({"issue_number": 5, "labels": ["gnc", "$from.data.labels[0]", "question"]}),
        ),
        step(
            "issue.assignees.add",
            json!({"issue_number": 6, "assignees": "$0.data.assignees"}),
        ),
    ];
    assert_all_ok(&bench.run(&steps).await);
    let portraits = portrait(&bench.sim);
    for label in &portraits[&1].labels {
        assert!(portraits[&2].labels.contains(label), "{label}");
    }
    let first = &portraits[&1].labels[0];
    for label in [first.as_str(), "gnc", "question"] {
        assert!(portraits[&5].labels.iter().any(|it| it == label), "{label}");
    }
    assert!(
        portraits[&6]
            .assignees
            .contains(&portraits[&1].assignees[0])
    );
}

#[tokio::test]
async fn a_reference_sees_the_whole_answer_however_it_is_shown() {
    let bench = Bench::demo().await;
    let mut long = named("long", view(25));
    long.request.options.fields = Some(vec!["number".to_owned()]);
    let steps = [
        long,
        step(
            "issue.comments.create",
            json!({"issue_number": 1, "body": "$long.data.body"}),
        ),
    ];
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    assert_eq!(ran.results[0].data, Some(json!({"number": 25})));
    let body = portrait(&bench.sim)[&25].body.clone();
    assert_eq!(comments_saying(&bench.sim, 1, &body), 1);
}

/// What somebody wrote on GitHub is a text, whatever it looks like.
#[tokio::test]
async fn what_is_filled_in_is_not_read_again() {
    let bench = Bench::demo().await;
    let trick = "$0.data.id";
    bench.sim.world(|world| set_title(world, 2, trick));
    let steps = [
        view(1),
        view(2),
        step(
            "issue.comments.create",
            json!({"issue_number": 3, "body": "$1.data.title"}),
        ),
    ];
    assert_all_ok(&bench.run(&steps).await);
    assert_eq!(comments_saying(&bench.sim, 3, trick), 1);
}

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
        ("$0.data.id, says he", "$0.data.id, says he"),
        ("${0.data.id}", "${0.data.id}"),
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

#[tokio::test]
async fn alone_a_step_has_nothing_to_refer_to() {
    let bench = Bench::demo().await;
    assert_all_ok(&bench.run(&[comment(2, "$0.data.id")]).await);
    assert_eq!(comments_saying(&bench.sim, 2, "$0.data.id"), 1);
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
        (number("$9.data.number"), &["$9", "not there"]),
        (number("$1.data.number"), &["step 1", "before"]),
        (number("$2.data.number"), &["step 2", "before"]),
        (number("$later.data.number"), &["later"]),
        (number("$99999999999999999999.data.number"), &["not there"]),
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

#[tokio::test]
async fn several_references_in_one_input_are_all_filled_in() {
    let bench = Bench::demo().await;
    let steps = [
        named("one", view(1)),
        named("two", view(2)),
        step(
            "issue.update",
            json!({"issue_number": "$two.data.number", "title": "$one.data.title", "body": "$0.data.body"}),
        ),
    ];
    assert_all_ok(&bench.run(&steps).await);
    let portraits = portrait(&bench.sim);
    assert_eq!(portraits[&2].title, portraits[&1].title);
    assert_eq!(portraits[&2].body, portraits[&1].body);
}

fn set_title(world: &mut World, issue: u64, title: &str) {
    let repo = world.find_repo("acme", "rocket").unwrap();
    let issues = &mut world.repo_mut(repo).unwrap().issues;
    issues.get_mut(&issue).unwrap().title = title.to_owned();
}
