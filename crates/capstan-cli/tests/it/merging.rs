//! Nothing is merged against a review or a failing required check, unless the caller says so: alone,
//! in a chain, from code, and over the command line.

use capstan_core::{ErrorCode, Options, Route};
use github_sim::world::CheckConclusion;
use serde_json::{Value, json};

use crate::binary::capstan;
use crate::cli::harness::{Github, Place};
use crate::code::surface::World;
use crate::support::Bench;

fn merge(number: u64, more: &Value) -> Value {
    let mut input = json!({"owner": "acme", "repo": "rocket", "pr_number": number});
    for (name, value) in more.as_object().unwrap() {
        input[name] = value.clone();
    }
    input
}

fn is_merged(bench: &Bench, number: u64) -> bool {
    bench.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        let pull = world.repo(repo).unwrap().pull(number).unwrap();
        pull.pull.as_ref().unwrap().merged.is_some()
    })
}

#[tokio::test]
async fn a_merge_against_a_review_is_refused_and_names_the_reviewer() {
    for route in [Route::Graphql, Route::Cli] {
        let bench = Bench::demo().await;
        let refused = bench
            .run_on(route, "pr.merge", &merge(49, &json!({})))
            .await;
        let error = refused.error.expect("a refusal");
        assert_eq!(error.code, ErrorCode::Conflict, "{route}");
        assert_eq!(error.details["outcome"], "not_applied", "{route}");
        assert!(
            error.message.contains("changes requested by maya-chen"),
            "{}",
            error.message
        );
        let asked = "`admin: true` overrides this: send it only if the person you work for says so";
        assert!(error.message.contains(asked), "{}", error.message);
        assert!(!is_merged(&bench, 49), "{route}");
        let writes = bench.sim.requests();
        let wrote = writes
            .iter()
            .any(|it| it.operation == github_sim::Operation::Write);
        assert!(!wrote, "{route}: it was sent");

        let insisted = merge(49, &json!({"admin": true}));
        let done = bench.run_on(route, "pr.merge", &insisted).await;
        assert!(done.ok, "{route}: {:?}", done.error);
        assert!(is_merged(&bench, 49), "{route}");
        let named = "merged against: changes requested by maya-chen".to_owned();
        assert!(
            done.meta.warnings.contains(&named),
            "{:?}",
            done.meta.warnings
        );
    }
}

#[tokio::test]
async fn failing_checks_refuse_a_merge_when_required_and_are_named_otherwise() {
    let bench = Bench::demo().await;
    let required = |names: &[&str]| {
        bench.sim.world(|world| {
            let repo = world.find_repo("acme", "rocket").unwrap();
            let names = names.iter().map(|&name| name.to_owned()).collect();
            world.repo_mut(repo).unwrap().required_checks = names;
        });
    };
    required(&["test (stable)", "lint"]);
    let refused = bench
        .run("pr.merge", &merge(33, &json!({})), Options::default())
        .await;
    let error = refused.error.expect("a refusal");
    assert_eq!(error.code, ErrorCode::Conflict);
    assert!(
        error
            .message
            .contains("required checks failed: test (stable)"),
        "{}",
        error.message
    );
    assert!(!error.message.contains("lint"), "{}", error.message);
    assert!(!is_merged(&bench, 33));

    required(&[]);
    let done = bench
        .run("pr.merge", &merge(33, &json!({})), Options::default())
        .await;
    assert!(done.ok, "{:?}", done.error);
    let warnings = done.meta.warnings;
    assert!(
        warnings
            .iter()
            .any(|it| it.contains("checks failed: test (stable)")),
        "{warnings:?}"
    );
}

/// What was looked at is what is merged: GitHub refuses it when commits were pushed since.
#[test]
fn the_head_that_was_looked_at_is_the_one_that_is_merged() {
    let args = [
        "--demo",
        "run",
        "pr.merge",
        "-R",
        "acme/rocket",
        "pr_number=27",
        "--dry-run",
    ];
    let output = capstan(&args);
    let plan = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(plan.contains("<$pr.headRefOid>"), "{plan}");
}

#[tokio::test]
async fn a_pull_request_with_more_than_a_hundred_checks_says_which_it_names() {
    let bench = Bench::demo().await;
    bench.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        let pull = world.repo(repo).unwrap().pull(27).unwrap().pull.clone();
        let sha = pull.unwrap().head_sha;
        for index in 0..120 {
            let name = format!("shard {index:03}");
            world.add_check_run(repo, &sha, None, &name, Some(CheckConclusion::Failure));
        }
    });
    let input = merge(27, &json!({}));
    let seen = bench.run("pr.view", &input, Options::default()).await;
    let data = seen.data.unwrap();
    let checks = &data["checks"];
    assert_eq!(
        (
            &checks["total"],
            &checks["passed"],
            &checks["failed"],
            &checks["skipped"]
        ),
        (&json!(124), &json!(3), &json!(120), &json!(1))
    );
    assert!(
        seen.meta
            .warnings
            .iter()
            .any(|it| it.contains("first hundred"))
    );
}

#[test]
fn code_and_the_command_line_are_refused_too() {
    let run = |args: &[&str]| {
        let output = capstan(args);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), said)
    };
    let alone = [
        "--demo",
        "--json",
        "run",
        "pr.merge",
        "-R",
        "acme/rocket",
        "pr_number=49",
    ];
    let (code, said) = run(&alone);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("CONFLICT") && said.contains("changes requested by maya-chen"),
        "{said}"
    );

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("merge.ts");
    let code = "return await capstan.pr.merge({owner: 'acme', repo: 'rocket', pr_number: 49});";
    std::fs::write(&file, code).unwrap();
    let file = file.to_str().unwrap();
    let (code, said) = run(&["--demo", "--json", "exec", file, "--intent", "merge it"]);
    assert_ne!(code, Some(0), "{said}");
    assert!(said.contains("changes requested by maya-chen"), "{said}");
}

/// A skill of one step, whose step is a merge.
const LAND: &str = "id: land\nlevel: 1\ndescription: Lands a pull request\ncard: pr.merge\n";

#[test]
fn agents_are_refused_too_alone_in_chains_and_by_skills() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let file = place.write("land.yaml", LAND);
    let world = World::at(place, &["--skills", file.to_str().unwrap()]);
    let mut server = world.server();
    let input = merge(49, &json!({}));
    let alone = server.execute(&json!({"capability": "pr.merge", "input": input}));
    let skill = server.execute(&json!({"capability": "land", "input": input}));
    let view = json!({"task": "pr.view", "input": input});
    let chain = json!({"steps": [view, {"task": "pr.merge", "input": input}]});
    let chain = server.execute(&chain);
    server.end();
    assert_eq!(chain["status"], "partial", "{chain}");
    for refused in [&alone, &skill, &chain["results"][1]] {
        let error = &refused["error"];
        assert_eq!(error["code"], "CONFLICT", "{refused}");
        assert_eq!(error["details"]["outcome"], "not_applied", "{refused}");
        let message = error["message"].as_str().unwrap();
        assert!(
            message.contains("changes requested by maya-chen"),
            "{message}"
        );
        assert!(message.contains("`admin: true`"), "{message}");
    }
    let wrote = github.sim.requests().iter().any(|it| it.applied);
    assert!(!wrote, "it was sent");
}
