//! Connections: they are reused, closed when a request is dropped, and failures to open one are
//! classified.

use std::time::{Duration, Instant};

use capstan_core::port::RouteAdapter;
use capstan_core::{ErrorCode, Outcome};
use capstan_github::{GraphqlAdapter, RestAdapter};
use serde_json::json;
use tokio::net::TcpListener;

use crate::server::{Action, Server, json as json_answer};
use crate::support::{
    PATIENCE, client, delete, get, graphql, mutation, post, rest, send, send_briefly,
};

#[tokio::test]
async fn both_routes_share_one_connection() {
    let server = Server::start(|_, seen| {
        let graphql = seen.line().contains("graphql");
        let body = if graphql { r#"{"data":{}}"# } else { "{}" };
        vec![json_answer("200 OK", body)]
    })
    .await;
    let client = client(&server.url());
    let rest = RestAdapter::new(client.clone());
    send(&rest, &get("/x")).await.unwrap();
    send(&GraphqlAdapter::new(client), &mutation())
        .await
        .unwrap();
    send(&rest, &get("/x")).await.unwrap();
    let used: Vec<_> = server.seen().iter().map(|seen| seen.connection).collect();
    assert_eq!(used, [0, 0, 0]);
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn a_dropped_request_closes_its_connection() {
    let server = Server::always(vec![Action::Hang]).await;
    let rest = rest(&server.url());
    let request = get("/x");
    let sending = rest.send(&request, Instant::now() + PATIENCE);
    tokio::select! {
        _ = sending => panic!("the server never answers"),
        () = server.requests(1) => {}
    }
    // `select!` drops the losing branch, and the server must notice.
    tokio::time::timeout(PATIENCE, server.ended(1))
        .await
        .unwrap();
}

#[tokio::test]
async fn a_connection_that_the_server_closed_never_doubles_a_write() {
    // Closing right after an answer races with the next request on the same connection.
    let server = Server::always(vec![json_answer("201 Created", "{}"), Action::Close]).await;
    let rest = rest(&server.url());
    for number in 0..50 {
        let result = send(&rest, &post("/x", json!({"number": number}))).await;
        let body = json!({"number": number}).to_string();
        let seen = server
            .seen()
            .iter()
            .filter(|seen| seen.body == body)
            .count();
        match result {
            Ok(_) => assert_eq!(seen, 1),
            Err(failure) => {
                assert_eq!(failure.error.code, ErrorCode::Network);
                assert!(seen <= 1);
                assert!(failure.outcome == Outcome::Unknown || seen == 0);
            }
        }
    }
}

#[tokio::test]
async fn a_refused_connection_sent_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    for request in [post("/x", json!({})), delete("/x")] {
        let failure = send(&rest(&base), &request).await.unwrap_err();
        assert_eq!(failure.error.code, ErrorCode::Network);
        assert_eq!(failure.outcome, Outcome::NotApplied);
        assert_eq!(failure.error.message, "`127.0.0.1` refused the connection");
    }
}

#[tokio::test]
async fn a_name_that_does_not_exist_sent_nothing() {
    let failure = send(&graphql("https://capstan.invalid"), &mutation())
        .await
        .unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::Network);
    assert_eq!(failure.outcome, Outcome::NotApplied);
}

#[tokio::test]
async fn a_server_that_does_not_speak_tls_was_sent_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let page = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
            let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, page).await;
        }
    });
    for request in [post("/x", json!({})), delete("/x")] {
        let base = format!("https://{address}");
        let failure = send(&rest(&base), &request).await.unwrap_err();
        assert_eq!(failure.error.code, ErrorCode::Network);
        assert_eq!(failure.outcome, Outcome::NotApplied);
        assert!(failure.error.message.contains("TLS"), "{failure:?}");
        assert!(!failure.error.retryable);
    }
}

#[tokio::test]
async fn a_write_that_ran_out_of_time_while_connecting_did_not_happen() {
    // The server accepts connections but never starts TLS.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("https://{}", listener.local_addr().unwrap());
    let failure = send_briefly(&rest(&base), &post("/x", json!({})))
        .await
        .unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::Network);
    assert_eq!(failure.outcome, Outcome::NotApplied);
    assert!(failure.error.retryable);
}

#[tokio::test]
async fn a_deadline_in_the_past_sends_nothing() {
    let server = Server::always(vec![json_answer("200 OK", "{}")]).await;
    let past = Instant::now() - Duration::from_millis(1);
    let rest = rest(&server.url());
    let failure = rest.send(&delete("/x"), past).await.unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::Network);
    assert_eq!(failure.outcome, Outcome::NotApplied);
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn loopback_never_goes_through_a_proxy() {
    // The environment of this process must not change, so another process runs a plain request.
    #[expect(
        clippy::disallowed_methods,
        reason = "the test runs itself in another environment"
    )]
    let mut again = tokio::process::Command::new(std::env::current_exe().unwrap());
    let output = again
        .args(["--exact", "requests::no_content_is_null"])
        .env("HTTP_PROXY", "http://127.0.0.1:9")
        .env("http_proxy", "http://127.0.0.1:9")
        .env("ALL_PROXY", "http://127.0.0.1:9")
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .output()
        .await
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("1 passed"), "{said}");
}
