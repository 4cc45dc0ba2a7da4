//! Names in place of ids: what is read to find the id, what is sent then, and what is said of an unknown name.

use capstan_core::{ErrorCode, Options, Outcome, ResultEnvelope, Route};
use github_sim::Sim;
use serde_json::{Value, json};

use crate::cli::harness::{Github, Place};
use crate::support::Bench;

/// Returns the requests that were sent, as `GET /path`, without the query.
fn sent(sim: &Sim) -> Vec<String> {
    let seen = sim.requests();
    let requests = seen.iter().map(|request| {
        let path = request.path.split('?').next().unwrap();
        format!("{} {path}", request.method)
    });
    requests.collect()
}

async fn run(bench: &Bench, capability: &str, input: Value) -> ResultEnvelope {
    bench.sim.clear_requests();
    bench.run_on(Route::Rest, capability, &input).await
}

/// Returns the id of a repository as GitHub tells it.
async fn id_of(bench: &Bench, path: &str) -> u64 {
    let input = json!({"path": path});
    let envelope = bench.run("github.rest", &input, Options::default()).await;
    envelope.data.unwrap()["id"].as_u64().unwrap()
}

fn secret(repository: &Value) -> Value {
    json!({"org": "acme", "secret_name": "TOKEN", "repository_id": repository})
}

#[tokio::test]
async fn the_id_of_a_name_is_sent_on_every_route() {
    let bench = Bench::demo().await;
    let id = id_of(&bench, "/repos/acme/rocket").await;
    for route in [Route::Rest, Route::Cli] {
        bench.sim.clear_requests();
        let add = "org.actions.secrets.repositories.add";
        let envelope = bench
            .run_on(route, add, &secret(&json!("acme/rocket")))
            .await;
        assert!(envelope.ok, "{route}: {envelope:?}");
        let put = format!("PUT /orgs/acme/actions/secrets/TOKEN/repositories/{id}");
        assert_eq!(
            sent(&bench.sim),
            ["GET /repos/acme/rocket".to_owned(), put],
            "{route}"
        );
    }
}

#[tokio::test]
async fn an_id_is_sent_without_a_lookup() {
    let bench = Bench::demo().await;
    let envelope = run(
        &bench,
        "org.actions.secrets.repositories.add",
        secret(&json!(7)),
    )
    .await;
    assert!(envelope.ok, "{envelope:?}");
    let put = "PUT /orgs/acme/actions/secrets/TOKEN/repositories/7";
    assert_eq!(sent(&bench.sim), [put]);
}

#[tokio::test]
async fn every_name_of_a_list_is_looked_up_and_no_id() {
    let bench = Bench::demo().await;
    let input = json!({
        "org": "acme", "secret_name": "TOKEN", "selected_repository_ids": ["acme/rocket", 7, "acme/launchpad"],
    });
    let envelope = run(&bench, "org.actions.secrets.repositories.set", input).await;
    assert!(envelope.ok, "{envelope:?}");
    let mut sent = sent(&bench.sim);
    assert_eq!(
        sent.pop().unwrap(),
        "PUT /orgs/acme/actions/secrets/TOKEN/repositories"
    );
    sent.sort();
    assert_eq!(
        sent,
        ["GET /repos/acme/launchpad", "GET /repos/acme/rocket"]
    );
}

#[tokio::test]
async fn an_id_in_the_query_can_be_a_name() {
    let bench = Bench::demo().await;
    let id = id_of(&bench, "/repos/acme/rocket").await;
    let input = json!({"repository_id": "acme/rocket", "q": "bug"});
    let envelope = run(&bench, "search.labels", input).await;
    assert!(envelope.ok, "{envelope:?}");
    let seen = bench.sim.requests();
    let query = &seen.last().unwrap().path;
    assert!(query.contains(&format!("repository_id={id}&")), "{query}");
}

#[tokio::test]
async fn titles_and_tags_are_found() {
    let bench = Bench::demo().await;
    let input = json!({"owner": "acme", "repo": "rocket", "milestone_number": "v1.1 Hop test"});
    let envelope = run(&bench, "repo.milestones.view", input).await;
    let data = envelope.data.unwrap();
    assert_eq!(data["title"], "v1.1 Hop test");
    assert_eq!(
        sent(&bench.sim)[1],
        format!("GET /repos/acme/rocket/milestones/{}", data["number"])
    );
    let input = json!({"owner": "acme", "repo": "rocket", "release_id": "v1.0.0"});
    let envelope = run(&bench, "release.view", input).await;
    assert_eq!(envelope.data.unwrap()["tag_name"], "v1.0.0");
    assert_eq!(
        sent(&bench.sim),
        [
            "GET /repos/acme/rocket/releases/tags/v1.0.0",
            "GET /repos/acme/rocket/releases/1212"
        ]
    );
    let input = json!({"account_id": "maya-chen"});
    let envelope = run(&bench, "user.by_id.view", input).await;
    assert!(envelope.ok, "{envelope:?}");
    assert_eq!(sent(&bench.sim)[0], "GET /users/maya-chen");
}

#[tokio::test]
async fn the_file_of_a_release_is_found_by_tag_and_name() {
    let bench = Bench::demo().await;
    let upload = json!({
        "owner": "acme", "repo": "rocket", "release_id": "v1.0.0", "name": "app.tgz", "content": "x",
    });
    let envelope = run(&bench, "release.assets.upload", upload).await;
    let id = envelope.data.unwrap()["id"].clone();
    let input = json!({"owner": "acme", "repo": "rocket", "asset_id": "v1.0.0/app.tgz"});
    let envelope = run(&bench, "release.assets.view", input).await;
    assert!(envelope.ok, "{envelope:?}");
    assert_eq!(envelope.data.unwrap()["id"], id);
    let input = json!({"owner": "acme", "repo": "rocket", "asset_id": "v1.0.0/app.zip"});
    let error = run(&bench, "release.assets.delete", input)
        .await
        .error
        .unwrap();
    assert_eq!(
        error.message,
        "there is no file of a published release `v1.0.0/app.zip` in acme/rocket: expected its tag/file, or its id; \
         nearest: app.tgz"
    );
}

#[tokio::test]
async fn an_unknown_name_says_what_was_looked_for_and_sends_nothing() {
    let bench = Bench::demo().await;
    for (capability, input, message) in [
        (
            "org.actions.secrets.repositories.add",
            secret(&json!("acme/rokket")),
            "there is no repository `acme/rokket`: expected its owner/name, or its id",
        ),
        (
            "repo.milestones.delete",
            json!({"owner": "acme", "repo": "rocket", "milestone_number": "v1.1 Hop"}),
            "there is no milestone `v1.1 Hop` in acme/rocket: expected its title, or its id; nearest: v1.1 Hop test, ",
        ),
        (
            "release.delete",
            json!({"owner": "acme", "repo": "rocket", "release_id": "v9"}),
            "there is no published release `v9` in acme/rocket: expected its tag, or its id",
        ),
    ] {
        let envelope = run(&bench, capability, input).await;
        let error = envelope.error.unwrap();
        assert_eq!(error.code, ErrorCode::NotFound, "{error:?}");
        assert!(error.message.starts_with(message), "{}", error.message);
        assert_ne!(
            error.details.get("outcome"),
            Some(&json!(Outcome::Unknown.as_str()))
        );
        let sent = sent(&bench.sim);
        assert!(sent.iter().all(|it| it.starts_with("GET ")), "{sent:?}");
    }
}

#[tokio::test]
async fn what_cannot_be_a_name_is_refused_before_anything_is_sent() {
    let bench = Bench::demo().await;
    for odd in [
        json!("rocket"),
        json!(""),
        json!("acme/rocket/contents"),
        json!(1.5),
        json!(null),
    ] {
        let envelope = run(&bench, "org.actions.secrets.repositories.add", secret(&odd)).await;
        let error = envelope.error.unwrap();
        assert_eq!(error.code, ErrorCode::Validation, "{odd}: {error:?}");
        assert!(error.message.contains("repository_id"), "{odd}: {error:?}");
        if odd.as_str().is_some_and(|text| !text.is_empty()) {
            let expected = "expected the id, or owner/name";
            assert!(error.message.contains(expected), "{odd}: {error:?}");
        }
        assert_eq!(sent(&bench.sim), Vec::<String>::new(), "{odd}");
    }
}

#[test]
fn lines_chains_and_dry_runs_take_names() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    for (capability, shown) in [
        (
            "repo.milestones.view",
            r#""milestone_number":"integer|title""#,
        ),
        (
            "org.actions.secrets.repositories.set",
            r#""selected_repository_ids":"(integer|owner/name)[]""#,
        ),
    ] {
        let explained = place.run(&["explain", capability, "--json"]);
        assert!(explained.stdout.contains(shown), "{explained:?}");
    }
    let planned = place.line(
        "run org.actions.secrets.repositories.add org=acme secret_name=TOKEN repository_id=acme/rocket --dry-run",
    );
    let plan: Value = serde_json::from_str(&planned.stdout).unwrap();
    assert_eq!(
        plan["requests"][0]["path"], "/repos/acme/rocket",
        "{planned:?}"
    );
    assert_eq!(plan["requests"][0]["purpose"], "lookup repository_id");
    assert_eq!(plan["requests"][1]["method"], "PUT");
    assert_eq!(
        plan["requests"][1]["path"],
        "/orgs/acme/actions/secrets/TOKEN/repositories/<$repository_id[].id>"
    );
    assert_eq!(github.sim.requests().len(), 0);

    let steps = json!([
        {
            "task": "repo.milestones.view",
            "input": {"owner": "acme", "repo": "rocket", "milestone_number": "v1.1 Hop test"},
        },
        {
            "task": "org.actions.secrets.repositories.add",
            "input": {"org": "acme", "secret_name": "TOKEN", "repository_id": "acme/rocket"},
        },
        {
            "task": "org.actions.secrets.repositories.add",
            "input": {"org": "acme", "secret_name": "TOKEN", "repository_id": "acme/nowhere"},
        },
    ]);
    let ran = place.run_with(&["chain", "-"], steps.to_string().as_bytes());
    assert_eq!(ran.code, 3, "{ran:?}");
    let writes = sent(&github.sim);
    let writes: Vec<_> = writes.iter().filter(|it| it.starts_with("PUT")).collect();
    assert_eq!(writes.len(), 1, "{writes:?}");
    assert!(
        ran.stdout.contains("no repository `acme/nowhere`"),
        "{ran:?}"
    );

    github.sim.clear_requests();
    let lines = place.run(&[
        "run",
        "-",
        "-R",
        "acme/rocket",
        "repo.milestones.view 'v1.1 Hop test'",
    ]);
    assert_eq!(lines.code, 0, "{lines:?}");
    assert!(lines.stdout.contains("v1.1 Hop test"), "{lines:?}");
}
