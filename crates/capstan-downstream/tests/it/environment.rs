//! What a server gets, what nobody else gets, and what ends with it.

use std::path::Path;

use capstan_core::port::ToolServers as _;
use serde_json::json;

use crate::support::{Bench, Setup, environment, until};

const KEY: &str = "sk-4242-very-secret";

fn with_secret() -> Setup {
    Setup {
        env: vec![
            ("API_KEY", KEY),
            ("ROOT", "/srv/data"),
            ("HOME", "/nowhere"),
        ],
        ..Setup::default()
    }
}

#[tokio::test]
async fn a_server_gets_what_its_entry_names_and_the_bare_minimum() {
    let bench = with_secret().bench();
    let env = bench.call("env", json!({})).await.unwrap();
    let env = env.as_object().unwrap();
    assert_eq!(env["ROOT"], "/srv/data");
    assert_eq!(env["HOME"], "/nowhere", "the entry comes first");
    assert!(env.contains_key("PATH"));
    for unrelated in ["UNRELATED_TOKEN", "CARGO_MANIFEST_DIR", "PWD"] {
        assert!(!env.contains_key(unrelated), "{unrelated}");
    }
}

#[tokio::test]
async fn its_secrets_are_seen_nowhere() {
    let mut setup = with_secret();
    setup.args = vec!["--stderr".to_owned(), format!("logging in with {KEY}\n")];
    let bench = setup.bench();
    let env = bench.call("env", json!({})).await.unwrap();
    assert_eq!(env["API_KEY"], "[redacted]");
    let echo = bench.echo(&format!("{{\"a{KEY}\": \"b {KEY}\"}}")).await;
    assert_eq!(echo, json!({ "a[redacted]": "b [redacted]" }));
    let failed = bench
        .call("fail", json!({ "words": KEY }))
        .await
        .unwrap_err();
    assert!(failed.error.message.ends_with("failed: [redacted]"));
    let died = bench
        .call("die", json!({ "words": KEY }))
        .await
        .unwrap_err();
    let message = &died.error.message;
    assert!(message.contains("logging in with [redacted]"), "{message}");
    for shown in [message.clone(), format!("{:?}", bench.servers)] {
        assert!(!shown.contains(KEY), "{shown}");
    }
    assert!(!format!("{:?}", environment()).contains("must-not-be-seen"));
}

async fn grandchild(bench: &Bench) -> String {
    let answer = bench.call("grandchild", json!({})).await.unwrap();
    let status = format!("/proc/{}/stat", answer["pid"]);
    assert!(lives(&status), "{status}");
    status
}

/// A process that nobody has waited for is dead all the same.
fn lives(status: &str) -> bool {
    let Ok(status) = std::fs::read_to_string(Path::new(status)) else {
        return false;
    };
    !status.contains(") Z")
}

#[tokio::test]
async fn what_a_server_started_ends_with_it() {
    let bench = Bench::new(&[]);
    let first = grandchild(&bench).await;
    bench.servers.stop().await;
    assert_eq!(bench.logged("end"), 1, "it could end by itself");
    until(|| !lives(&first)).await;
    let second = grandchild(&bench).await;
    bench.call("die", json!({})).await.unwrap_err();
    until(|| !lives(&second)).await;
    let third = grandchild(&bench).await;
    drop(bench);
    until(|| !lives(&third)).await;
}

#[test]
fn everything_ends_with_the_runtime() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.unwrap();
    let bench = Bench::new(&[]);
    let status = runtime.block_on(grandchild(&bench));
    drop(runtime);
    let deadline = crate::support::soon();
    while lives(&status) {
        assert!(std::time::Instant::now() < deadline);
        std::thread::yield_now();
    }
}
