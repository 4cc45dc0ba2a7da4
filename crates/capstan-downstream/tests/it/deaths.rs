//! Servers that end: at the start, during a call, and again and again.

use std::time::Duration;

use capstan_core::port::{ServerState, ToolServers as _};
use capstan_core::{ErrorCode, Outcome};
use capstan_downstream::{ServerConfig, Transport};
use futures_util::future::join_all;
use serde_json::json;

use crate::support::{Bench, FAKE, Setup, soon, until, within};

#[tokio::test]
async fn a_write_that_was_under_way_may_have_happened() {
    let bench = Bench::new(&[]);
    bench.tools().await;
    let input = json!({ "code": 7, "words": "out of memory\n" });
    let failure = bench.call("die", input).await.unwrap_err();
    assert_eq!(failure.outcome, Outcome::Unknown);
    assert_eq!(failure.error.code, ErrorCode::Network);
    assert!(!failure.error.retryable);
    assert_eq!(
        failure.error.message,
        "the tool `die` of the server `fake`: the server is gone: it exited with code 7 and said: \
         out of memory; the next call starts it again"
    );
    assert_eq!(bench.logged("call die"), 1, "never sent twice");
}

#[tokio::test]
async fn a_read_that_was_under_way_can_be_repeated() {
    let bench = Bench::new(&[]);
    bench.tools().await;
    let failure = bench.call("die_read", json!({})).await.unwrap_err();
    assert_eq!(failure.outcome, Outcome::NotApplied);
    assert_eq!(failure.error.code, ErrorCode::Network);
    assert!(failure.error.retryable);
    assert_eq!(bench.logged("call die_read"), 1);
}

#[tokio::test]
async fn all_calls_that_were_under_way_fail_and_the_next_one_starts_it_again() {
    let bench = Bench::new(&[]);
    bench.tools().await;
    let held = join_all((0..5).map(|n| bench.call("hold", json!({ "word": n.to_string() }))));
    let died = async {
        bench.until_logged("call hold", 5).await;
        bench.call("die", json!({})).await
    };
    let (held, died) = tokio::join!(held, died);
    assert!(died.is_err());
    for failure in held {
        let failure = failure.unwrap_err();
        assert!(failure.error.retryable, "{failure:?}");
        assert!(failure.error.message.contains("it exited with code 0"));
    }
    assert_eq!(bench.echo("again").await, "again");
    assert_eq!(bench.logged("start"), 2);
}

#[tokio::test]
async fn an_answer_counts_even_if_it_was_the_last() {
    let bench = Bench::new(&[]);
    for _ in 0..2 {
        let answer = bench.call("answer_and_die", json!({})).await;
        assert_eq!(answer.unwrap(), "last words");
        until(|| !format!("{:?}", bench.servers).contains("lifecycle: Up")).await;
        bench.clock.advance(Duration::from_secs(60));
    }
}

#[tokio::test]
async fn one_that_keeps_ending_is_left_alone_for_a_while() {
    let bench = Bench::new(&[]);
    for _ in 0..2 {
        bench.call("die", json!({})).await.unwrap_err();
    }
    // The third life has to wait.
    let failure = bench.call("echo", json!({})).await.unwrap_err();
    assert_eq!(failure.outcome, Outcome::NotApplied);
    assert_eq!(failure.error.code, ErrorCode::Network);
    assert!(failure.error.retryable);
    let wait = Duration::from_millis(200);
    assert_eq!(failure.retry_after, Some(wait));
    assert_eq!(
        failure.error.message,
        "the server `fake` keeps failing and will not be restarted for 0.2 s: it exited \
         with code 0"
    );
    assert_eq!(bench.logged("start"), 2);
    bench.clock.advance(wait);
    assert_eq!(bench.echo("again").await, "again");
    // A long life makes up for it.
    bench.clock.advance(Duration::from_secs(60));
    bench.call("die", json!({})).await.unwrap_err();
    assert_eq!(bench.echo("at once").await, "at once");
}

#[tokio::test]
async fn one_that_ends_at_the_start_says_why() {
    let bench = Bench::new(&["--die-at-start", "--stderr", "no licence\n"]);
    let failure = bench.call("write", json!({})).await.unwrap_err();
    assert_eq!(failure.outcome, Outcome::NotApplied);
    assert_eq!(failure.error.code, ErrorCode::Network);
    assert_eq!(
        failure.error.message,
        "the server `fake` cannot be started: it exited with code 3 and said: no licence, before the MCP handshake"
    );
    let state = bench.servers.state(FAKE, soon()).await;
    let ServerState::Down(why) = state else {
        panic!("{state:?}");
    };
    assert!(why.contains("no licence"), "{why}");
}

#[tokio::test]
async fn everybody_who_waits_for_a_start_shares_it() {
    let bench = Bench::new(&["--die-at-start"]);
    let calls = join_all((0..10).map(|_| bench.call("echo", json!({})))).await;
    assert!(calls.iter().all(Result::is_err));
    assert_eq!(bench.logged("start"), 1);
    let bench = Bench::new(&[]);
    let calls = join_all((0..10).map(|_| bench.echo("x"))).await;
    assert_eq!(calls.len(), 10);
    assert_eq!(bench.logged("start"), 1);
}

#[tokio::test]
async fn a_start_that_takes_too_long_is_given_up() {
    let mut setup = Setup::args(&["--hang-at-start", "--stderr", "waiting for the database\n"]);
    setup.change = |config| config.start_timeout = Duration::from_millis(300);
    let bench = setup.bench();
    let failure = bench.call("echo", json!({})).await.unwrap_err();
    assert_eq!(failure.outcome, Outcome::NotApplied);
    let message = &failure.error.message;
    assert!(
        message.contains("did not complete the MCP handshake within"),
        "{message}"
    );
    assert!(message.contains("waiting for the database"), "{message}");
}

#[tokio::test]
async fn one_that_closes_its_output_is_ended() {
    let setup = Setup {
        change: |config| {
            if let Transport::Stdio { command, args, .. } = &mut config.transport {
                *command = "sh".to_owned();
                *args = ["-c", "echo closing >&2; exec >&-; sleep 1000"]
                    .map(str::to_owned)
                    .to_vec();
            }
        },
        ..Setup::default()
    };
    let failure = setup.bench().call("echo", json!({})).await.unwrap_err();
    assert_eq!(
        failure.error.message,
        "the server `fake` cannot be started: it was ended and said: closing, before the MCP handshake"
    );
}

/// Shakes hands, hears the question for its tools and a call, and then closes its ears.
const DEAF: &str = r#"read initialize
echo '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"deaf","version":"1"}}}'
read initialized; read list; read call; exec <&-; echo deaf > "$0"; exec sleep 1000"#;

#[tokio::test]
async fn one_that_takes_nothing_in_any_more_is_replaced() {
    let setup = Setup {
        change: |config| {
            if let Transport::Stdio { command, args, .. } = &mut config.transport {
                let log = args.pop().unwrap();
                *command = "sh".to_owned();
                *args = vec!["-c".to_owned(), DEAF.to_owned(), log];
            }
        },
        ..Setup::default()
    };
    let bench = setup.bench();
    tokio::select! {
        answer = bench.call("echo", json!({})) => panic!("{answer:?}"),
        () = bench.until_logged("deaf", 1) => {}
    }
    let failure = bench.call("echo", json!({})).await.unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::Network);
    let message = &failure.error.message;
    assert!(message.contains("no longer accepts input"), "{message}");
    assert_eq!(failure.outcome, Outcome::NotApplied, "not a byte left");
    let state = format!("{:?}", bench.servers);
    assert!(state.contains("lifecycle: Down"), "{state}");
}

#[tokio::test]
async fn a_call_need_not_wait_for_the_whole_start() {
    let bench = Bench::new(&["--hang-at-start"]);
    let failure = bench.call_until("echo", json!({}), within(50)).await;
    let failure = failure.unwrap_err();
    assert_eq!(failure.outcome, Outcome::NotApplied);
    assert!(failure.error.retryable);
    assert!(failure.error.message.contains("is still starting"));
}

type Change = fn(&mut ServerConfig);

#[tokio::test]
async fn what_cannot_be_started_is_said_with_what_to_do() {
    let missing = |config: &mut ServerConfig| {
        if let Transport::Stdio { command, .. } = &mut config.transport {
            *command = "no-such-program".to_owned();
        }
    };
    let folder = |config: &mut ServerConfig| {
        if let Transport::Stdio { cwd, .. } = &mut config.transport {
            *cwd = Some("/no/such/folder".into());
        }
    };
    let cases: [(Change, &str); 2] = [
        (
            missing,
            "the server `fake` cannot be started: `no-such-program` was not found: install it, or write its full path in `command`",
        ),
        (
            folder,
            "the server `fake` cannot be started: its folder `/no/such/folder` does not exist: correct `cwd`",
        ),
    ];
    for (change, expected) in cases {
        let setup = Setup {
            change,
            ..Setup::default()
        };
        let failure = setup.bench().call("echo", json!({})).await.unwrap_err();
        assert_eq!(failure.error.message, expected);
        assert_eq!(failure.error.code, ErrorCode::AdapterUnsupported);
        assert_eq!(failure.outcome, Outcome::NotApplied);
        assert!(!failure.error.retryable);
    }
}
