//! Servers over streamable HTTP that behave and misbehave.

use std::sync::Arc;
use std::time::{Duration, Instant};

use capstan_core::port::{Failure, LeftOut, ServerState, ToolServers as _};
use capstan_core::{ErrorCode, Outcome, Redactor};
use capstan_downstream::{ServerConfig, ServerName, Servers, Transport};
use serde_json::{Value, json};

use crate::http_server::{HttpServer, Mood};
use crate::support::{TestClock, environment, secrets, soon, within};

const TOKEN: &str = "Bearer tok-987654321";

struct Cloud {
    server: HttpServer,
    servers: Servers,
    clock: Arc<TestClock>,
}

impl Cloud {
    async fn start() -> Self {
        let server = HttpServer::start().await;
        let url = format!("http://127.0.0.1:{}/mcp", server.port);
        let transport = Transport::Http {
            url: url.parse().unwrap(),
            headers: secrets(&[("Authorization", TOKEN)]),
        };
        let mut config = ServerConfig::new(ServerName::parse("cloud").unwrap(), transport);
        config.ping_timeout = Duration::from_millis(300);
        let clock = Arc::new(TestClock::default());
        let servers = Servers::new(
            vec![config],
            environment(),
            Arc::clone(&clock) as Arc<_>,
            None,
            Redactor::default(),
        );
        Self {
            server,
            servers,
            clock,
        }
    }

    /// One that has shaken hands and is known.
    async fn known() -> Self {
        let cloud = Self::start().await;
        cloud.servers.tools("cloud", soon()).await.unwrap();
        cloud
    }

    async fn call(&self, tool: &str) -> Result<Value, Failure> {
        self.call_until(tool, soon()).await
    }

    async fn call_until(&self, tool: &str, deadline: Instant) -> Result<Value, Failure> {
        let input = serde_json::Map::new();
        let answer = self.servers.call("cloud", tool, input, deadline).await;
        answer.map(|answer| answer.data)
    }
}

#[tokio::test]
async fn answers_come_as_json_and_as_events() {
    let cloud = Cloud::known().await;
    assert_eq!(cloud.call("write").await.unwrap(), "as json");
    cloud.server.mood(Mood::Events);
    assert_eq!(cloud.call("write").await.unwrap(), "as event");
    let state = cloud.servers.state("cloud", soon()).await;
    let up = ServerState::Up {
        name: "http 1".to_owned(),
        tools: 2,
        left_out: LeftOut::default(),
    };
    assert_eq!(state, up);
    cloud.servers.stop().await;
    let state = cloud.server.state.lock().unwrap();
    let authorized = |it: &Option<String>| it.as_deref() == Some(TOKEN);
    assert!(state.authorizations.iter().all(authorized));
    assert_eq!(state.log.iter().filter(|it| *it == "initialize").count(), 1);
    assert_eq!(state.log.last().unwrap(), "DELETE");
}

/// What a write and a read are told in a mood, and that each was sent once.
async fn told(mood: Mood, expected: ErrorCode, outcome: Outcome) -> Failure {
    let cloud = Cloud::known().await;
    cloud.server.mood(mood.clone());
    let write = cloud.call("write").await.unwrap_err();
    assert_eq!(write.error.code, expected, "{mood:?}: {write:?}");
    assert_eq!(write.outcome, outcome, "{mood:?}: {write:?}");
    if outcome == Outcome::Unknown {
        assert!(!write.error.retryable, "{mood:?}");
    }
    assert_eq!(cloud.server.count("tools/call"), 1, "{mood:?}");
    let read = cloud.call("read").await.unwrap_err();
    assert_eq!(read.outcome, Outcome::NotApplied, "{mood:?}");
    assert_eq!(read.error.retryable, expected.is_transient(), "{mood:?}");
    assert_eq!(cloud.server.count("tools/call"), 2, "{mood:?}");
    cloud.server.mood(Mood::Json);
    assert_eq!(cloud.call("write").await.unwrap(), "as json", "{mood:?}");
    write
}

#[tokio::test]
async fn what_a_status_means_depends_on_who_says_no() {
    use ErrorCode::{AdapterUnsupported, Auth, RateLimit, Server, Unknown};
    use Outcome::{NotApplied, Unknown as Perhaps};
    told(Mood::Status(403, "not you"), Auth, NotApplied).await;
    let limited = told(Mood::Status(429, ""), RateLimit, NotApplied).await;
    assert_eq!(limited.retry_after, Some(Duration::from_secs(7)));
    let broken = told(Mood::Status(500, "oh no"), Server, Perhaps).await;
    assert_eq!(
        broken.error.message,
        "the tool `write` of the server `cloud`: it answers with HTTP status 500: oh no"
    );
    told(Mood::Status(502, ""), Server, Perhaps).await;
    told(Mood::Status(400, "?"), Unknown, Perhaps).await;
    told(Mood::Status(405, ""), AdapterUnsupported, Perhaps).await;
    let error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"bad input"}}"#;
    let refused = told(Mood::Status(400, error), ErrorCode::Validation, Perhaps).await;
    assert!(refused.error.message.contains("bad input"));
}

#[tokio::test]
async fn answers_that_break_off_or_are_none_leave_it_open() {
    let network = ErrorCode::Network;
    told(Mood::Drop, network, Outcome::Unknown).await;
    told(Mood::BrokenEvents, network, Outcome::Unknown).await;
    told(Mood::Html, ErrorCode::AdapterUnsupported, Outcome::Unknown).await;
}

#[tokio::test]
async fn answers_that_are_too_large_are_not_read() {
    for mood in [Mood::Huge(9_000_000), Mood::HugeEvents(9_000_000)] {
        let failure = told(mood, ErrorCode::Unknown, Outcome::Unknown).await;
        assert!(failure.too_much);
        assert!(failure.error.message.contains("larger than 8 MiB"));
    }
}

#[tokio::test]
async fn a_session_that_the_server_forgot_is_begun_anew_by_the_next_call() {
    let cloud = Cloud::known().await;
    cloud.server.forget_sessions();
    let failure = cloud.call("write").await.unwrap_err();
    assert_eq!(failure.outcome, Outcome::NotApplied);
    assert_eq!(failure.error.code, ErrorCode::Network);
    assert!(failure.error.retryable);
    assert_eq!(
        cloud.server.count("tools/call"),
        1,
        "not sent again by itself"
    );
    assert_eq!(cloud.call("write").await.unwrap(), "as json");
    assert_eq!(cloud.server.count("initialize"), 2);
}

#[tokio::test]
async fn a_server_that_is_away_did_nothing() {
    let cloud = Cloud::known().await;
    cloud.server.stop();
    let mut failure = cloud.call("write").await.unwrap_err();
    if failure.outcome == Outcome::Unknown {
        // The connection that was kept open broke under the first one.
        failure = cloud.call("write").await.unwrap_err();
    }
    assert_eq!(failure.outcome, Outcome::NotApplied, "{failure:?}");
    assert_eq!(failure.error.code, ErrorCode::Network);
    assert!(failure.error.retryable);
    assert!(failure.error.message.contains("refused"), "{failure:?}");
    for _ in 0..3 {
        cloud.clock.advance(Duration::from_secs(31));
        let failure = cloud.call("write").await.unwrap_err();
        let message = &failure.error.message;
        assert!(
            message.starts_with("the server `cloud` cannot be started"),
            "{message}"
        );
    }
    let failure = cloud.call("write").await.unwrap_err();
    assert!(failure.retry_after.is_some(), "{failure:?}");
}

#[tokio::test]
async fn one_that_wants_a_login_says_so() {
    let cloud = Cloud::start().await;
    cloud.server.mood(Mood::Status(401, "who are you?"));
    let failure = cloud.call("write").await.unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::Auth);
    assert_eq!(failure.outcome, Outcome::NotApplied);
    assert_eq!(
        failure.error.message,
        "the server `cloud` cannot be started: it answers with HTTP status 401: who are you?; add what it requires, such as a token, to `headers`"
    );
}

#[tokio::test]
async fn a_redirect_is_not_followed_with_our_secrets() {
    let cloud = Cloud::start().await;
    cloud.server.mood(Mood::Status(302, ""));
    let failure = cloud.call("write").await.unwrap_err();
    assert_eq!(
        failure.error.message,
        "the server `cloud` cannot be started: it answers with HTTP status 302: \
         http://127.0.0.1:1/elsewhere; write its new address into `url`"
    );
}

#[tokio::test]
async fn one_that_hangs_costs_the_call_and_then_the_connection() {
    let cloud = Cloud::known().await;
    cloud.server.mood(Mood::Hang);
    let failure = cloud.call_until("write", within(1_000)).await.unwrap_err();
    assert_eq!(failure.outcome, Outcome::Unknown);
    assert!(
        failure
            .error
            .message
            .contains("no answer within the time limit")
    );
    crate::support::until(|| cloud.server.count("notifications/cancelled") == 1).await;
    // Nothing answers its ping either.
    crate::support::until(|| format!("{:?}", cloud.servers).contains("lifecycle: Ended")).await;
    cloud.server.mood(Mood::Json);
    assert_eq!(cloud.call("write").await.unwrap(), "as json");
    assert_eq!(cloud.server.count("initialize"), 2);
}

#[tokio::test]
async fn a_server_of_the_newer_revision_alone_is_understood() {
    let cloud = Cloud::start().await;
    cloud.server.state.lock().unwrap().modern = true;
    assert_eq!(cloud.call("write").await.unwrap(), "as json");
    cloud.server.mood(Mood::Events);
    assert_eq!(cloud.call("write").await.unwrap(), "as event");
    assert_eq!(cloud.server.count("initialize"), 1);
    assert_eq!(cloud.server.count("server/discover"), 1);
}

#[tokio::test]
async fn its_secrets_are_masked_in_what_it_says() {
    let cloud = Cloud::known().await;
    cloud
        .server
        .mood(Mood::Status(403, "tok-987654321 is not allowed"));
    let failure = cloud.call("write").await.unwrap_err();
    assert!(failure.error.message.contains("[redacted] is not allowed"));
    assert!(!format!("{:?}", cloud.servers).contains("tok-987"));
    assert_eq!(json!(failure.error.details), json!({}));
}
