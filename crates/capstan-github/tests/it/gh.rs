//! The `gh` route against a program that pretends to be `gh`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;

use capstan_core::card::Operation;
use capstan_core::port::{Preflight, RouteAdapter};
use capstan_core::{AnswerFormat, CliAnswer, CliRequest, ErrorCode, Outcome, RouteRequest, Secret};
use capstan_github::{GhAdapter, GhConfig, GithubHost, find_program, gh_token, gh_version};
use serde_json::{Value, json};

use crate::support::{PATIENCE, TOKEN, eventually, send, send_briefly};

fn fake_gh() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/fake-gh")
}

fn config(mode: &str) -> GhConfig {
    GhConfig {
        program: Some(fake_gh()),
        host: GithubHost::github_com(),
        env: vec![("FAKE_GH".to_owned(), OsString::from(mode))],
        token: Some(Secret::new(TOKEN)),
        refused: None,
    }
}

fn adapter(mode: &str) -> GhAdapter {
    GhAdapter::new(config(mode))
}

fn command(args: &[&str], answer: CliAnswer, stdin: Option<String>) -> RouteRequest {
    RouteRequest::Cli(CliRequest {
        args: args.iter().map(|&arg| arg.to_owned()).collect(),
        stdin,
        operation: Operation::Write,
        answer,
    })
}

fn api() -> RouteRequest {
    command(
        &["api", "--include", "x"],
        CliAnswer::Http(AnswerFormat::Json),
        None,
    )
}

fn view() -> RouteRequest {
    command(&["issue", "view", "1"], CliAnswer::Json, None)
}

#[tokio::test]
async fn input_goes_through_standard_input_while_output_comes_back() {
    // More than both pipes hold together, so it requires reading and writing at the same time.
    let text = json!({"title": "a".repeat(1_000_000)}).to_string();
    let request = command(
        &["api", "--include", "x", "--input", "-"],
        CliAnswer::Http(AnswerFormat::Json),
        Some(text.clone()),
    );
    let answer = send(&adapter("stdin"), &request).await.unwrap();
    assert_eq!(answer.body.to_string(), text);
    assert_eq!(answer.next_page, None);
}

#[tokio::test]
async fn a_program_that_ignores_its_input_may() {
    let request = command(&["issue"], CliAnswer::Json, Some("x".repeat(1_000_000)));
    assert!(send(&adapter("environment"), &request).await.is_ok());
}

#[tokio::test]
async fn the_environment_keeps_it_quiet_and_arguments_stay_whole() {
    let mut config = config("environment");
    config
        .env
        .push(("GH_CONFIG_DIR".to_owned(), "/nowhere".into()));
    let request = command(&["a b", "$(id)", "*"], CliAnswer::Json, None);
    let answer = send(&GhAdapter::new(config.clone()), &request)
        .await
        .unwrap();
    let expected = json!({
        "prompt": "1", "notifier": "1", "color": "1", "pager": "cat", "debug": "",
        "host": "github.com", "token": TOKEN, "enterprise": "", "args": "a b $(id) *",
    });
    assert_eq!(answer.body, expected);
    config.host = GithubHost::parse("git.example.org").unwrap();
    let answer = send(&GhAdapter::new(config), &view()).await.unwrap();
    assert_eq!(answer.body["host"], "git.example.org");
    assert_eq!(answer.body["enterprise"], TOKEN);
}

#[tokio::test]
async fn the_deadline_ends_the_whole_group() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let mut config = config("hang");
    config
        .env
        .push(("FAKE_PIDS".to_owned(), pids.clone().into()));
    let failure = send_briefly(&GhAdapter::new(config), &view())
        .await
        .unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::Network);
    assert_eq!(failure.outcome, Outcome::Unknown);
    all_gone(&pids).await;
}

#[tokio::test]
async fn nothing_is_started_after_the_deadline() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let mut config = config("linger");
    config
        .env
        .push(("FAKE_PIDS".to_owned(), pids.clone().into()));
    let failure = GhAdapter::new(config)
        .send(&view(), Instant::now())
        .await
        .unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::Network);
    assert_eq!(failure.outcome, Outcome::NotApplied);
    assert!(!pids.exists());
}

#[tokio::test]
async fn dropping_the_request_ends_the_whole_group() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let mut config = config("hang");
    config
        .env
        .push(("FAKE_PIDS".to_owned(), pids.clone().into()));
    let adapter = GhAdapter::new(config);
    let request = view();
    tokio::select! {
        _ = adapter.send(&request, Instant::now() + PATIENCE) => panic!("it never ends"),
        started = eventually(|| async { running(&pids) }) => assert_eq!(started.len(), 2),
    }
    all_gone(&pids).await;
}

#[tokio::test]
async fn a_descendant_that_holds_the_pipe_does_not_hold_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let mut config = config("linger");
    config
        .env
        .push(("FAKE_PIDS".to_owned(), pids.clone().into()));
    let answer = send(&GhAdapter::new(config), &view()).await.unwrap();
    assert_eq!(answer.body, json!({"a": 1}));
    all_gone(&pids).await;
}

#[tokio::test]
async fn fifty_megabytes_are_too_much() {
    let failure = send(&adapter("flood"), &api()).await.unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::Server);
    assert_eq!(failure.outcome, Outcome::Applied, "its status was 201");
    assert!(failure.error.message.contains("10 MiB"));
    let failure = send(&adapter("flood"), &view()).await.unwrap_err();
    assert_eq!(failure.outcome, Outcome::Unknown);
}

#[tokio::test]
async fn endless_complaints_are_read_but_not_kept() {
    let failure = send(&adapter("complain"), &view()).await.unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::Unknown);
    assert_eq!(failure.error.message, "complaint");
}

#[tokio::test]
async fn included_heads_are_classified_like_http() {
    let failure = send(&adapter("not-found"), &api()).await.unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::NotFound);
    assert_eq!(failure.error.message, "Not Found");
    assert_eq!(
        Value::Object(failure.error.details),
        json!({"status": 404, "request_id": "AB:1"})
    );
    let failure = send(&adapter("truncated"), &api()).await.unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::Network);
    assert_eq!(failure.outcome, Outcome::Applied);
}

#[tokio::test]
async fn a_redirect_that_gh_does_not_follow_changes_nothing() {
    for args in [["api", "--include", "x"], ["api", "graphql", "--include"]] {
        let request = command(&args, CliAnswer::Http(AnswerFormat::Json), None);
        let failure = send(&adapter("moved"), &request).await.unwrap_err();
        assert_eq!(failure.error.code, ErrorCode::AdapterUnsupported);
        assert_eq!(failure.outcome, Outcome::NotApplied);
    }
}

#[tokio::test]
async fn graphql_answers_keep_their_errors_although_gh_calls_it_a_failure() {
    let request = command(
        &["api", "graphql", "--include"],
        CliAnswer::Http(AnswerFormat::Json),
        None,
    );
    let answer = send(&adapter("partial"), &request).await.unwrap();
    assert_eq!(answer.body, json!({"repository": null}));
    assert_eq!(answer.errors[0].failure.error.code, ErrorCode::NotFound);
    assert_eq!(answer.errors[0].path, ["repository"]);
}

#[tokio::test]
async fn text_where_json_was_promised_is_a_server_error() {
    let failure = send(&adapter("text"), &view()).await.unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::Server);
    assert!(!failure.error.retryable, "it would print the same again");
    assert_eq!(failure.outcome, Outcome::Applied);
}

#[tokio::test]
async fn exit_code_four_is_auth() {
    let failure = send(&adapter("logged-out"), &api()).await.unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::Auth);
    assert_eq!(failure.outcome, Outcome::NotApplied);
}

#[tokio::test]
async fn the_token_is_in_no_error_and_no_debug_output() {
    let adapter = adapter("leak");
    let failure = send(&adapter, &view()).await.unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::Auth);
    let shown = format!("{failure:?} {adapter:?}");
    assert!(!shown.contains(TOKEN), "{shown}");
}

#[tokio::test]
async fn preflight_asks_gh_once_and_only_locally() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut config = config("");
    config.token = None;
    config.env = vec![
        ("FAKE_LOG".to_owned(), log.clone().into()),
        ("FAKE_TOKEN".to_owned(), "kept-by-gh".into()),
    ];
    let adapter = GhAdapter::new(config.clone());
    for _ in 0..3 {
        assert_eq!(adapter.preflight().await, Preflight::Ready);
    }
    assert_eq!(
        std::fs::read_to_string(&log).unwrap(),
        "auth token --hostname github.com\n"
    );
    assert_eq!(gh_token(&config).await, Some(Secret::new("kept-by-gh")));
    assert_eq!(gh_version(&config).await.as_deref(), Some("9.8.7"));
}

#[tokio::test]
async fn preflight_says_what_is_missing() {
    let mut logged_out = config("");
    logged_out.token = None;
    let mut missing = config("");
    missing.program = None;
    let mut broken = config("");
    broken.program = Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"));
    for (config, expected, is_login) in [
        (logged_out, "gh auth login --hostname github.com", true),
        (missing, "not installed", false),
        (broken.clone(), "not an executable file", false),
    ] {
        let (why, of_login) = match GhAdapter::new(config).preflight().await {
            Preflight::NotReady(why) => (why, true),
            Preflight::Unavailable(why) => (why, false),
            Preflight::Ready => panic!("ready, instead of: {expected}"),
        };
        assert!(why.contains(expected), "{why}");
        assert_eq!(of_login, is_login, "{why}");
    }
    let failure = send(&GhAdapter::new(broken), &view()).await.unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::AdapterUnsupported);
    assert_eq!(failure.outcome, Outcome::NotApplied);
}

#[test]
fn programs_are_found_in_absolute_folders_only() {
    let folder = fake_gh().parent().unwrap().to_owned();
    let path = std::env::join_paths([Path::new("."), Path::new("/nowhere"), &folder]).unwrap();
    assert_eq!(find_program("fake-gh", &path), Some(fake_gh()));
    assert_eq!(find_program("gh.rs", &path), None, "not executable");
    assert_eq!(find_program("fake-gh", ".".as_ref()), None);
}

/// Returns the process ids that the script wrote, once both are there.
fn running(pids: &Path) -> Option<Vec<u32>> {
    let text = std::fs::read_to_string(pids).ok()?;
    let numbers: Vec<_> = text
        .split_whitespace()
        .filter_map(|pid| pid.parse().ok())
        .collect();
    (text.ends_with('\n') && numbers.len() == 2).then_some(numbers)
}

async fn all_gone(pids: &Path) {
    let pids = running(pids).expect("the script noted its processes");
    eventually(|| async { pids.iter().all(|pid| is_gone(*pid)).then_some(()) }).await;
}

/// Returns whether a process has ended. A dead process may still wait for its parent to collect it.
fn is_gone(pid: u32) -> bool {
    match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => stat
            .rsplit(')')
            .next()
            .is_some_and(|rest| rest.trim_start().starts_with('Z')),
        Err(_) => true,
    }
}
