//! A public server, `@modelcontextprotocol/server-everything`, over both transports.

use std::process::Stdio;
use std::sync::Arc;

use capstan_core::card::Operation;
use capstan_core::port::{ServerState, ToolServers as _};
use capstan_core::{Outcome, Redactor};
use capstan_downstream::{ServerConfig, ServerName, Servers, Transport};
use capstan_test_support::everything_server;
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use crate::support::{TestClock, environment, object, secrets, soon, within};

const NAME: &str = "everything";

fn servers(transport: Transport) -> Servers {
    let config = ServerConfig::new(ServerName::parse(NAME).unwrap(), transport);
    let clock = Arc::new(TestClock::default());
    Servers::new(
        vec![config],
        environment(),
        clock,
        None,
        Redactor::default(),
    )
}

fn stdio() -> Servers {
    servers(Transport::Stdio {
        command: "node".to_owned(),
        args: vec![
            everything_server().display().to_string(),
            "stdio".to_owned(),
        ],
        env: secrets(&[("GREETING", "hello")]),
        cwd: None,
    })
}

async fn call(servers: &Servers, tool: &str, input: Value) -> Value {
    let answer = servers.call(NAME, tool, object(input), soon()).await;
    answer
        .unwrap_or_else(|failure| panic!("{tool}: {failure:?}"))
        .data
}

/// What every transport must be able to do.
async fn exercise(servers: &Servers) {
    let state = servers.state(NAME, soon()).await;
    let ServerState::Up { name, tools, .. } = state else {
        panic!("{state:?}");
    };
    assert!(name.starts_with("mcp-servers/everything"), "{name}");
    let listed = servers.tools(NAME, soon()).await.unwrap();
    assert_eq!(listed.len(), tools);
    let echo = listed.iter().find(|tool| tool.name == "echo").unwrap();
    assert_eq!(echo.input_schema["type"], "object");
    assert!(matches!(echo.operation, Operation::Read | Operation::Write));

    let answer = call(servers, "echo", json!({ "message": "hi" })).await;
    assert_eq!(answer, "Echo: hi");
    let weather = json!({ "location": "New York" });
    let weather = call(servers, "get-structured-content", weather).await;
    assert!(weather["temperature"].is_number(), "{weather}");
    let image = call(servers, "get-tiny-image", json!({})).await;
    let block = image
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["type"] == "image");
    assert_eq!(block.unwrap()["mime_type"], "image/png");
    assert!(block.unwrap()["bytes"].as_u64().unwrap() > 100);

    let sums = join_all((0..20).map(|n| call(servers, "get-sum", json!({ "a": n, "b": 1 }))));
    for (n, sum) in sums.await.into_iter().enumerate() {
        let sum = sum.as_str().unwrap().to_owned();
        assert!(sum.contains(&(n + 1).to_string()), "{sum}");
    }

    let long = json!({ "duration": 60, "steps": 60 });
    let long = object(long);
    let deadline = within(1_000);
    let tool = "trigger-long-running-operation";
    let failure = servers.call(NAME, tool, long, deadline).await.unwrap_err();
    assert!(
        failure
            .error
            .message
            .contains("no answer within the time limit")
    );
    assert_ne!(failure.outcome, Outcome::Applied);
    let wrong = object(json!({ "a": "one" }));
    let failure = servers
        .call(NAME, "get-sum", wrong, soon())
        .await
        .unwrap_err();
    assert!(!failure.error.retryable, "{failure:?}");
    let answer = call(servers, "echo", json!({ "message": "still here" })).await;
    assert_eq!(answer, "Echo: still here");
}

#[tokio::test]
async fn over_standard_input_and_output() {
    let servers = stdio();
    exercise(&servers).await;
    let env = call(&servers, "get-env", json!({})).await;
    assert_eq!(env["GREETING"], "hello");
    assert!(env.get("UNRELATED_TOKEN").is_none());
    servers.stop().await;
}

#[tokio::test]
async fn over_streamable_http() {
    let (port, _process) = listening().await;
    let servers = servers(Transport::Http {
        url: format!("http://127.0.0.1:{port}/mcp").parse().unwrap(),
        headers: secrets(&[("X-Api-Key", "0123456789")]),
    });
    exercise(&servers).await;
    servers.stop().await;
}

/// Starts the server on a free port; it ends with the handle.
#[expect(
    clippy::disallowed_methods,
    reason = "the test starts what it connects to"
)]
async fn listening() -> (u16, Child) {
    let port = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let mut process = Command::new("node")
        .arg(everything_server())
        .arg("streamableHttp")
        .env("PORT", port.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
    loop {
        let line = lines.next_line().await.unwrap();
        let line = line.expect("it ended before it listened");
        if line.contains("listening on port") {
            break;
        }
    }
    // What it says later must not fill the pipe.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    (port, process)
}
