//! Logs, archives and other files, read through the engine from the simulator's storage host.

use capstan_core::{ErrorCode, Options, ResultEnvelope};
use github_sim::Transport;
use serde_json::{Value, json};

use crate::support::Bench;

const FAILED_RUN: u64 = 1223;

async fn read(bench: &Bench, id: &str, input: Value) -> ResultEnvelope {
    let mut all = json!({"owner": "acme", "repo": "rocket"});
    for (name, value) in input.as_object().unwrap() {
        all[name] = value.clone();
    }
    bench.run(id, &all, Options::default()).await
}

#[tokio::test]
async fn a_failed_run_says_which_step_failed_and_why() {
    let bench = Bench::demo().await;
    let log = read(
        &bench,
        "workflow.runs.logs.download",
        json!({"run_id": FAILED_RUN}),
    )
    .await;
    insta::assert_json_snapshot!(log.data.unwrap());
    let job = json!({"job_id": FAILED_RUN * 100 + 1});
    let log = read(&bench, "workflow.jobs.logs.download", job).await;
    insta::assert_json_snapshot!(log.data.unwrap());
}

/// The storage host gets no token, and a log of 40 MB is read without being shown.
#[tokio::test]
async fn a_log_of_40_megabytes_is_a_few_lines() {
    let bench = Bench::demo().await;
    bench
        .sim
        .world(|world| world.memory.downloads.log_megabytes = Some(40));
    let job = FAILED_RUN * 100 + 1;
    let input = |part: Value| {
        let mut input = part;
        input["job_id"] = json!(job);
        input
    };
    let id = "workflow.jobs.logs.download";
    let whole = read(&bench, id, input(json!({}))).await.data.unwrap();
    assert!(whole["size"].as_u64().unwrap() > 40 << 20);
    assert!(whole["text"].as_str().unwrap().len() < 4_000);
    assert_eq!(whole["failed"][0]["exit_code"], 2);
    let lines = whole["lines"].as_u64().unwrap();
    assert!(
        whole["text"]
            .as_str()
            .unwrap()
            .contains("assertion failed: votes agree")
    );

    let tail = read(&bench, id, input(json!({"tail": 2})))
        .await
        .data
        .unwrap();
    assert_eq!(tail["shown"], format!("{}-{lines}", lines - 1));
    let range = read(&bench, id, input(json!({"lines": "100000-100001"}))).await;
    let text = range.data.unwrap()["text"].as_str().unwrap().to_owned();
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.starts_with("test generated::case_"), "{text}");
    let found = read(&bench, id, input(json!({"find": "rejects_an_outlier"}))).await;
    assert_eq!(found.data.unwrap()["matches"], 1);

    let storage = bench.sim.requests();
    let storage: Vec<_> = storage
        .iter()
        .filter(|request| request.transport == Transport::Storage)
        .map(|request| request.status)
        .collect();
    // With a token, the storage answers 400.
    assert_eq!(storage, [Some(200); 4]);
}

#[tokio::test]
async fn a_zip_bomb_is_an_error_that_names_it() {
    let bench = Bench::demo().await;
    bench
        .sim
        .world(|world| world.memory.downloads.bomb_megabytes = Some(1024));
    let id = "workflow.runs.logs.download";
    // The logs themselves are harmless.
    let log = read(&bench, id, json!({"run_id": FAILED_RUN})).await;
    assert_eq!(log.data.unwrap()["failed"][0]["step"], "Run tests");
    let bomb = json!({"run_id": FAILED_RUN, "entry": "bomb/0.bin", "find": "x"});
    let error = read(&bench, id, bomb).await.error.unwrap();
    assert_eq!(error.code, ErrorCode::Validation);
    let expected = "the entry `bomb/0.bin` becomes more than 300 times larger";
    assert!(error.message.starts_with(expected), "{}", error.message);
    let archive = json!({"artifact_id": 11, "archive_format": "zip"});
    let listed = read(&bench, "workflow.artifacts.download", archive).await;
    let entries = listed.data.unwrap()["entries"].as_array().unwrap().len();
    assert_eq!(entries, 65);
}

#[tokio::test]
async fn wrong_parts_are_refused_before_anything_is_sent() {
    let bench = Bench::demo().await;
    let id = "workflow.jobs.logs.download";
    for (part, expected) in [
        (
            json!({"lines": "9-5"}),
            "`lines` is `9-5`, which ends before it begins",
        ),
        (
            json!({"lines": "1-5", "tail": 3}),
            "`lines` and `tail` exclude each other",
        ),
        (json!({"lines": "first"}), "lines"),
        (json!({"tail": 0}), "tail"),
        (json!({"find": ""}), "find"),
    ] {
        let mut input = part.clone();
        input["job_id"] = json!(1);
        let error = read(&bench, id, input).await.error.unwrap();
        assert_eq!(error.code, ErrorCode::Validation, "{part}");
        assert!(
            error.message.contains(expected),
            "{part}: {}",
            error.message
        );
    }
    assert!(bench.sim.requests().is_empty());
}

#[tokio::test]
async fn archives_are_listed_searched_and_read() {
    let bench = Bench::demo().await;
    let id = "repo.zipball.download";
    let listed = read(&bench, id, json!({"ref": "main"})).await.data.unwrap();
    let names: Vec<_> = listed["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert!(
        names.contains(&&json!("acme-rocket-main/README.md")),
        "{names:?}"
    );
    let file = read(&bench, id, json!({"ref": "main", "entry": "*/README.md"})).await;
    assert_eq!(file.data.unwrap()["entry"], "acme-rocket-main/README.md");
    let found = read(&bench, id, json!({"ref": "main", "find": "rocket"}))
        .await
        .data
        .unwrap();
    assert!(found["matches"].as_u64().unwrap() > 0, "{found}");
    let wrong = read(
        &bench,
        id,
        json!({"ref": "main", "entry": "acme-rocket-main/README.mdx"}),
    )
    .await;
    let error = wrong.error.unwrap();
    assert_eq!(error.code, ErrorCode::NotFound);
    assert!(
        error
            .message
            .contains("did you mean acme-rocket-main/README.md?"),
        "{}",
        error.message
    );
}
