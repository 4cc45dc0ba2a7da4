//! A milestone that is not there is answered with those that are, alone and in a chain.

use capstan_core::{ErrorCode, Options, Route};
use github_sim::world::Viewer;
use serde_json::json;

use crate::binary::capstan;
use crate::support::Bench;

const SAID: &str =
    "no milestone `v9` in acme/rocket; it has `v1.0 Static fire`, `v1.1 Hop test`, `v2.0 Orbital`";

#[tokio::test]
async fn a_title_that_no_milestone_has_is_answered_with_those_that_there_are() {
    let bench = Bench::demo().await;
    let target = |mut input: serde_json::Value| {
        input["owner"] = json!("acme");
        input["repo"] = json!("rocket");
        input["milestone"] = json!("v9");
        input
    };
    for (capability, input) in [
        ("issue.create", target(json!({"title": "Igniter"}))),
        ("issue.milestone.set", target(json!({"issue_number": 1}))),
    ] {
        let refused = bench.run(capability, &input, Options::default()).await;
        let error = refused.error.expect(capability);
        assert_eq!(error.code, ErrorCode::NotFound, "{capability}");
        assert_eq!(error.message, SAID, "{capability}");
        assert_eq!(error.details["outcome"], "not_applied", "{capability}");
        let mend = &error.details["mend"]["arguments"];
        let listed = json!({
            "capability": "repo.milestones.list",
            "input": {"owner": "acme", "repo": "rocket", "state": "all"},
        });
        assert_eq!(mend, &listed, "{capability}");
        let on_gh = bench.run_on(Route::Cli, capability, &input).await;
        let message = on_gh.error.expect(capability).message;
        assert!(
            message.contains("cli: gh sends what REST takes"),
            "{message}"
        );
    }
}

#[tokio::test]
async fn a_list_by_a_milestone_that_is_not_there_is_answered_with_those_that_there_are() {
    let bench = Bench::demo().await;
    for (milestone, search, said) in [
        (json!("v9"), None, SAID),
        (
            json!(99),
            None,
            "no milestone 99 in acme/rocket; it has 1 `v1.0 Static fire`, 2 `v1.1 Hop test`, 3 `v2.0 Orbital`",
        ),
        (
            json!("v9"),
            Some("fuel"),
            "no milestone `v9` in acme/rocket; repo.milestones.list shows the existing ones",
        ),
    ] {
        let mut input = json!({"owner": "acme", "repo": "rocket", "milestone": milestone});
        if let Some(search) = search {
            input["search"] = json!(search);
        }
        let refused = bench.run("issue.list", &input, Options::default()).await;
        let error = refused.error.expect("a refusal");
        assert_eq!(error.code, ErrorCode::NotFound, "{input}");
        assert_eq!(error.message, said, "{input}");
        let mend = &error.details["mend"]["arguments"]["capability"];
        assert_eq!(mend, "repo.milestones.list", "{input}");
    }
}

/// GitHub's search has no escape for a quotation mark, so it would find nothing and say so.
#[tokio::test]
async fn a_milestone_that_cannot_be_searched_for_is_refused_and_not_empty() {
    let bench = Bench::demo().await;
    bench.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        let viewer = Viewer::full("maya-chen");
        let milestone = world.create_milestone(&viewer, repo, "the \"big\" one", None, None);
        assert_eq!(milestone.unwrap(), 4);
    });
    let input = json!({"owner": "acme", "repo": "rocket", "milestone": 4, "search": "fuel"});
    let refused = bench.run("issue.list", &input, Options::default()).await;
    let message = refused.error.expect("a refusal").message;
    assert!(
        message.starts_with("no milestone 4 in acme/rocket that GitHub's search can look for"),
        "{message}"
    );
}

/// A page of milestones that is full may not have all of them.
#[tokio::test]
async fn of_more_milestones_than_a_page_has_all_can_be_searched_for() {
    let bench = Bench::demo().await;
    bench.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        for index in 0..110 {
            let viewer = Viewer::full("maya-chen");
            let title = format!("sprint {index}");
            world
                .create_milestone(&viewer, repo, &title, None, None)
                .unwrap();
        }
    });
    let input =
        json!({"owner": "acme", "repo": "rocket", "milestone": "sprint 109", "search": "fuel"});
    let listed = bench.run("issue.list", &input, Options::default()).await;
    assert!(listed.ok, "{:?}", listed.error);
}

#[tokio::test]
async fn a_number_that_no_milestone_has_is_answered_with_those_that_there_are() {
    let bench = Bench::demo().await;
    let input = json!({"owner": "acme", "repo": "rocket", "issue_number": 1, "milestone": 99});
    for (route, said) in [
        (
            Route::Graphql,
            "no milestone 99 in acme/rocket; it has 1 `v1.0 Static fire`, 2 `v1.1 Hop test`, 3 `v2.0 Orbital`",
        ),
        (
            Route::Rest,
            "no milestone 99 in acme/rocket; repo.milestones.list shows the existing ones",
        ),
    ] {
        let refused = bench.run_on(route, "issue.milestone.set", &input).await;
        let error = refused.error.expect("a refusal");
        assert_eq!(error.message, said, "{route}");
        let mend = &error.details["mend"]["arguments"]["capability"];
        assert_eq!(mend, "repo.milestones.list", "{route}");
    }
    // What is not there is the issue: its list helps.
    let input = json!({"owner": "acme", "repo": "rocket", "issue_number": 9999, "milestone": 2});
    let refused = bench
        .run("issue.milestone.set", &input, Options::default())
        .await;
    let mend = &refused.error.unwrap().details["mend"]["arguments"]["capability"];
    assert_eq!(mend, "issue.list");
}

#[tokio::test]
async fn of_many_milestones_the_first_are_named_and_the_others_counted() {
    let bench = Bench::demo().await;
    bench.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        for index in 0..40 {
            let viewer = Viewer::full("maya-chen");
            let title = format!("sprint {index}");
            world
                .create_milestone(&viewer, repo, &title, None, None)
                .unwrap();
        }
    });
    for milestone in [json!("v9"), json!(99)] {
        let input =
            json!({"owner": "acme", "repo": "rocket", "issue_number": 1, "milestone": milestone});
        let refused = bench
            .run("issue.milestone.set", &input, Options::default())
            .await;
        let message = refused.error.expect("a refusal").message;
        assert!(message.ends_with(", and 13 more"), "{message}");
    }
}

/// On the command line a number is a number; a title that looks like one is said with `:=`.
#[test]
fn on_the_command_line_a_word_of_digits_is_a_number() {
    let run = |milestone: &str| {
        let args = [
            "--demo",
            "--json",
            "run",
            "issue.create",
            "-R",
            "acme/rocket",
            "title=x",
        ];
        let output = capstan(&[&args[..], &[milestone]].concat());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(run("milestone=2").contains("\"milestone\":\"v1.1 Hop test\""));
    assert!(run("milestone=v2.0 Orbital").contains("\"milestone_number\":3"));
    for word in ["002", "+2", "0x2", "2e0", "2.0"] {
        let said = run(&format!("milestone={word}"));
        let wanted = format!("no milestone `{word}` in acme/rocket");
        assert!(said.contains(&wanted), "{said}");
    }
    assert!(run("milestone:=\"2\"").contains("no milestone `2` in acme/rocket"));
}
