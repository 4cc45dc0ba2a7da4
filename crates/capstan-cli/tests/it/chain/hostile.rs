//! Inputs that nobody would write, unless to see what happens.

use serde_json::json;

use super::bench::Bench;
use super::steps::{assert_all_ok, codes, comment, step, view};
use super::world::{comments_saying, open_issues};

#[tokio::test]
async fn a_text_of_a_megabyte_harms_nobody() {
    let bench = Bench::demo().await;
    let huge = "x".repeat(1024 * 1024);
    let mut steps: Vec<_> = (0..3)
        .map(|it| comment(1, &format!("Before {it}")))
        .collect();
    steps.push(comment(1, &huge));
    steps.extend((0..3).map(|it| comment(1, &format!("After {it}"))));
    steps.push(step("issue.list", json!({"label": huge})));
    steps.push(view(2));
    let ran = bench.run(&steps).await;
    // GitHub takes no more than 65,536 characters, and no label is called so.
    assert_eq!(
        codes(&ran),
        ["ok", "ok", "ok", "VALIDATION", "ok", "ok", "ok", "ok", "ok"]
    );
    for it in 0..3 {
        assert_eq!(comments_saying(&bench.sim, 1, &format!("After {it}")), 1);
    }
    assert_eq!(bench.counts().1, 3, "before it, itself, and after it");
}

/// A reference into a long list, over and over.
#[tokio::test]
async fn a_thousand_references_to_one_step_are_filled_in() {
    let bench = Bench::demo().await;
    let mut steps = vec![step("issue.list", json!({"first": 29}))];
    for index in 0..999 {
        let number = format!("$0.data.issues[{}].number", index % 29);
        steps.push(step("issue.view", json!({"issue_number": number})));
    }
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    assert_eq!(bench.counts(), (2, 0));
}

/// Each step needs the one before it.
#[tokio::test]
async fn a_long_line_of_references_ends() {
    let bench = Bench::demo().await;
    let mut steps = vec![view(1)];
    for index in 0..99 {
        let number = format!("${index}.data.number");
        steps.push(step("issue.view", json!({"issue_number": number})));
    }
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    assert_eq!(bench.counts(), (100, 0));
}

#[tokio::test]
async fn inputs_that_are_deep_or_strange_are_refused_or_sent_as_they_are() {
    let bench = Bench::demo().await;
    let mut deep = json!("$0.data.id");
    for _ in 0..100 {
        deep = json!([deep]);
    }
    let steps = [
        view(1),
        step(
            "issue.labels.add",
            json!({"issue_number": 1, "labels": deep}),
        ),
    ];
    assert_eq!(
        codes(&bench.run(&steps).await),
        ["VALIDATION", "VALIDATION"]
    );
    let strange = [
        "\u{0}",
        "\u{202e}abc",
        "}\"'\\{$x: Int}",
        "#",
        "\u{1F680}",
        "{{owner}}",
        "<$0.data.id>",
    ];
    let steps: Vec<_> = strange.iter().map(|text| comment(1, text)).collect();
    assert_all_ok(&bench.run(&steps).await);
    for text in strange {
        assert_eq!(comments_saying(&bench.sim, 1, text), 1, "{text:?}");
    }
}

/// All the issues that there are, each three ways, in one go.
#[tokio::test]
async fn many_kinds_of_steps_travel_together() {
    let bench = Bench::demo().await;
    let issues = open_issues(&bench.sim);
    let steps: Vec<_> = issues
        .iter()
        .take(16)
        .flat_map(|issue| {
            let list = step(
                "issue.comments.list",
                json!({"issue_number": issue, "first": 5}),
            );
            [view(*issue), list, comment(*issue, "Seen.")]
        })
        .collect();
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    // What is listed before the first comment with all lookups, the comments, and the other reads.
    assert_eq!(bench.counts(), (2, 1));
}
