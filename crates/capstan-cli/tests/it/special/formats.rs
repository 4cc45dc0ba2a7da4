//! Answers that are no JSON: diffs, patches, SARIF, texts and files as they are.

use capstan_core::{ErrorCode, ResultEnvelope, Route};
use github_sim::Sim;
use serde_json::{Value, json};

use crate::support::Bench;

async fn read(bench: &Bench, capability: &str, input: &Value) -> ResultEnvelope {
    bench.run_on(Route::Rest, capability, input).await
}

async fn data(bench: &Bench, capability: &str, input: &Value) -> Value {
    let envelope = read(bench, capability, input).await;
    assert!(envelope.ok, "{capability}: {envelope:?}");
    envelope.data.unwrap()
}

fn of_rocket(more: &Value) -> Value {
    let mut input = json!({"owner": "acme", "repo": "rocket"});
    for (name, value) in more.as_object().unwrap() {
        input[name] = value.clone();
    }
    input
}

/// Makes every changed file of the demo large.
fn with_large_changes() -> Sim {
    let sim = Sim::demo();
    sim.world(|world| {
        let id = world.find_repo("acme", "rocket").unwrap();
        let commits = &mut world.repo_mut(id).unwrap().commits;
        let files = commits.values_mut().flat_map(|commit| &mut commit.files);
        for file in files {
            file.additions += 2000;
        }
    });
    sim
}

#[tokio::test]
async fn a_small_diff_is_shown_whole() {
    let bench = Bench::demo().await;
    let pull = of_rocket(&json!({"pr_number": 49}));
    let diff = data(&bench, "pr.diff.view", &pull).await;
    let files = diff["files"].as_array().unwrap();
    assert_eq!(diff["changed_files"], files.len());
    let sum: u64 = files
        .iter()
        .map(|it| it["additions"].as_u64().unwrap())
        .sum();
    assert_eq!(diff["additions"], sum);
    let text = diff["text"].as_str().unwrap();
    for file in files {
        assert!(
            text.contains(&format!("+++ b/{}", file["path"].as_str().unwrap())),
            "{text}"
        );
    }
}

#[tokio::test]
async fn of_a_large_diff_the_files_come_first_and_the_lines_on_request() {
    let bench = Bench::with(with_large_changes(), std::time::Duration::from_secs(10)).await;
    for (capability, input) in [
        ("pr.diff.view", of_rocket(&json!({"pr_number": 49}))),
        ("repo.commits.diff.view", of_rocket(&json!({"ref": "main"}))),
    ] {
        let all = data(&bench, capability, &input).await;
        assert_eq!(all.get("text"), None, "{all}");
        assert!(all.to_string().len() < 4000, "{all}");
        let path = all["files"][0]["path"].clone();
        assert!(all["more"].as_str().unwrap().contains("`path`"), "{all}");

        let mut one = input.clone();
        one["path"] = path.clone();
        let shown = data(&bench, capability, &one).await;
        assert_eq!(shown["files"].as_array().unwrap().len(), 1);
        assert_eq!(shown["files"][0]["path"], path);
        assert!(shown["text"].as_str().unwrap().contains("@@"), "{shown}");

        one["lines"] = json!("1000-1003");
        let lines = data(&bench, capability, &one).await;
        assert_eq!(lines["shown"], "1000-1003");
        assert_eq!(
            lines["text"].as_str().unwrap().lines().count(),
            4,
            "{lines}"
        );

        let mut found = input.clone();
        found["find"] = json!("new line 1999");
        let found = data(&bench, capability, &found).await;
        assert!(
            found["text"].as_str().unwrap().contains("new line 1999"),
            "{found}"
        );

        one["path"] = json!("nowhere.rs");
        let error = read(&bench, capability, &one).await.error.unwrap();
        assert_eq!(error.code, ErrorCode::NotFound, "{error:?}");
        assert!(error.message.contains("nowhere.rs"), "{error:?}");
    }
}

#[tokio::test]
async fn patches_and_shas_are_texts() {
    let bench = Bench::demo().await;
    let commit = of_rocket(&json!({"ref": "main"}));
    let patch = data(&bench, "repo.commits.patch.view", &commit).await;
    assert!(
        patch["text"].as_str().unwrap().starts_with("From "),
        "{patch}"
    );
    let pull = of_rocket(&json!({"pr_number": 49}));
    let patch = data(&bench, "pr.patch.view", &pull).await;
    assert!(
        patch["text"].as_str().unwrap().contains("Subject: [PATCH]"),
        "{patch}"
    );
    let sha = data(&bench, "repo.commits.sha.view", &commit).await;
    let sha = sha["text"].as_str().unwrap();
    assert!(
        sha.len() == 40 && sha.chars().all(|c| c.is_ascii_hexdigit()),
        "{sha}"
    );
    let compare = of_rocket(&json!({"basehead": "main...sequencer-dry-run"}));
    let diff = data(&bench, "repo.compare.diff.view", &compare).await;
    assert!(diff["changed_files"].as_u64().unwrap() > 0, "{diff}");
}

#[tokio::test]
async fn files_come_as_they_are_and_in_part() {
    let bench = Bench::demo().await;
    let file = of_rocket(&json!({"path": "README.md"}));
    let raw = data(&bench, "repo.contents.raw.view", &file).await;
    let text = raw["text"].as_str().unwrap();
    assert_eq!(raw["size"], text.len());
    assert!(text.starts_with('#'), "{text}");
    let mut last = file.clone();
    last["tail"] = json!(1);
    let last = data(&bench, "repo.contents.raw.view", &last).await;
    let shown = last["text"].as_str().unwrap();
    assert_eq!(text.lines().last(), shown.lines().last());
    assert_eq!(shown.lines().count(), 1);
    let readme = data(&bench, "repo.readme.raw.view", &of_rocket(&json!({}))).await;
    assert_eq!(readme["text"], raw["text"]);
}

#[tokio::test]
async fn findings_come_as_sarif() {
    let bench = Bench::demo().await;
    let input = of_rocket(&json!({"analysis_id": 41}));
    let sarif = data(&bench, "code_scanning.analyses.sarif.view", &input).await;
    assert_eq!(sarif["media_type"], "application/sarif+json");
    assert!(
        sarif["text"].as_str().unwrap().contains("\"runs\""),
        "{sarif}"
    );
    let seen = bench.sim.requests();
    assert_eq!(seen.len(), 1, "{seen:?}");
}
