//! Workers that lie: whatever a worker says, the program that asked goes on.
#![cfg(unix)]

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use capstan_core::code::{CodeHash, Limits, Mentions, Script, ScriptEnd, ScriptErrorKind, Stopped};
use capstan_core::port::{Sandbox, ScriptRun};
use capstan_sandbox::{SandboxSettings, WorkerCommand, sandbox};
use serde_json::{Map, Value};

use crate::support::*;

const SOON: Duration = Duration::from_millis(500);
const LATE: Duration = Duration::from_secs(30);

/// A worker that says what the shell says.
fn saying(shell: &str) -> Arc<dyn Sandbox> {
    let worker = WorkerCommand {
        program: "/bin/sh".into(),
        arguments: vec![OsString::from("-c"), OsString::from(shell)],
    };
    sandbox(SandboxSettings::new(Some(worker)))
}

async fn run_in(sandbox: &dyn Sandbox, wall: Duration, answers: &Answers) -> ScriptEnd {
    let script = Script {
        hash: CodeHash::from_bytes([0; 32]),
        javascript: "1".to_owned(),
        source_map: String::new(),
        calls: Vec::new(),
        parameters: Value::Null,
        mentions: Mentions::default(),
    };
    let limits = Limits {
        wall,
        calls: 2,
        console_bytes: 100,
        ..Limits::default()
    };
    sandbox
        .run(ScriptRun {
            script: &script,
            args: &Map::new(),
            limits,
            calls: answers,
            depth: 0,
        })
        .await
}

#[tokio::test]
async fn nonsense_is_not_believed() {
    // A frame is its length in four bytes, lowest first, its kind, and its contents.
    for (name, shell) in [
        (
            "a length without end",
            r"printf '\377\377\377\377'; sleep 60",
        ),
        (
            "a length that is too large",
            r"printf '\000\000\000\100'; sleep 60",
        ),
        (
            "a kind that there is not",
            r"printf '\001\000\000\000\011'; sleep 60",
        ),
        ("an empty frame", r"printf '\000\000\000\000'; sleep 60"),
        ("half a frame", r"printf '\010\000\000\000\003\000'"),
        ("text", "echo hello, I am a worker; sleep 60"),
        ("zeros for ever", "cat /dev/zero"),
        ("noise for ever", "cat /dev/urandom"),
        ("the end at once", "exit 0"),
        ("an error at once", "exit 7"),
        (
            "a reader's answer",
            r"printf '\007\000\000\000\001\000\000\000\000\000\000'; sleep 60",
        ),
        (
            "a list that is longer than its frame",
            r"printf '\005\000\000\000\002\377\377\377\377'; sleep 60",
        ),
        (
            "a result that is not JSON",
            r"printf '\036\000\000\000\003\000\002\000\000\000{]\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000'; sleep 60",
        ),
        (
            "a call of nothing known",
            r"printf '\057\000\000\000\002\000\000\000\000\001\000\000\000\001\000\000\000\007\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\377\377\377\377\377\377\377\377\000\000\000\000\000\000\000\000\000'; sleep 60",
        ),
    ] {
        let sandbox = saying(shell);
        let end = run_in(&*sandbox, LATE, &Answers::default()).await;
        let error = end.result.unwrap_err();
        assert_eq!(error.kind, ScriptErrorKind::Broken, "{name}: {error}");
    }
}

#[tokio::test]
async fn silence_ends_at_the_time_limit() {
    for shell in ["sleep 60", "trap '' TERM INT; sleep 60", "cat > /dev/null"] {
        let end = run_in(&*saying(shell), SOON, &Answers::default()).await;
        let error = end.result.unwrap_err();
        assert_eq!(
            error.kind,
            ScriptErrorKind::Limit(Stopped::Wall),
            "{shell}: {error}"
        );
    }
}

#[tokio::test]
async fn a_worker_cannot_call_or_write_more_than_it_may() {
    // `capstan.a.b({})` again and again, each with another number.
    let call = |id: u8| {
        format!(
            r"\064\000\000\000\002\000\000\000\000\001\000\000\000\{id:03o}\000\000\000\000\003\000\000\000a\000b\002\000\000\000{{}}\000\000\000\000\000\000\000\000\377\377\377\377\377\377\377\377\000\000\000\000\000\000\000\000\000"
        )
    };
    let calls: String = (1..9).map(call).collect();
    let answers = Answers::default();
    let end = run_in(
        &*saying(&format!("printf '{calls}'; sleep 60")),
        LATE,
        &answers,
    )
    .await;
    let error = end.result.unwrap_err();
    assert_eq!(
        error.kind,
        ScriptErrorKind::Limit(Stopped::Calls),
        "{error}"
    );
    assert_eq!(answers.sizes(), [1, 1]);

    // The same number twice is a lie.
    let calls = [call(1), call(1)].concat();
    let end = run_in(
        &*saying(&format!("printf '{calls}'; sleep 60")),
        LATE,
        &answers,
    )
    .await;
    assert_eq!(end.result.unwrap_err().kind, ScriptErrorKind::Broken);

    // A line of the console, 64 characters long, again and again.
    let line = format!(
        r"\143\000\000\000\002\001\000\000\000\000\100\000\000\000{}\000\000\000\000\000\000\000\000\377\377\377\377\377\377\377\377\000\000\000\000\000\000\000\000\000",
        "x".repeat(64)
    );
    let shell = format!("while true; do printf '{line}'; done");
    let end = run_in(&*saying(&shell), SOON, &answers).await;
    assert!(end.console_cut);
    assert_eq!(end.console.len(), 1);
}
