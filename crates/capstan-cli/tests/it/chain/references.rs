//! Steps that use what earlier steps found: filled in when it is known, one request for each level.

use capstan_core::ChainStep;
use github_sim::world::World;
use serde_json::json;

use super::bench::Bench;
use super::cards;
use super::steps::{assert_all_ok, create, exactly, named, step, view};
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
