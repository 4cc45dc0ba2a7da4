//! Redirects: followed for reads on the same origin only, and never with the token elsewhere.

use std::sync::{Arc, OnceLock};

use capstan_core::{
    AnswerFormat, ErrorCode, FileSelection, Method, Outcome, RestRequest, RouteRequest,
};
use serde_json::json;

use crate::server::{Server, answer, json as json_answer};
use crate::support::{TOKEN, get, graphql, mutation, post, rest, send};

fn moved(status: &str, location: &str) -> crate::server::Action {
    answer(status, &format!("Location: {location}\r\n"), "")
}

#[tokio::test]
async fn a_read_follows_on_the_same_origin_with_the_token() {
    let server = Server::start(|number, _| match number {
        0 => vec![moved("301 Moved Permanently", "/repositories/1?x=1")],
        _ => vec![json_answer("200 OK", r#"{"id":1}"#)],
    })
    .await;
    let answer = send(&rest(&server.url()), &get("/repos/a/old"))
        .await
        .unwrap();
    assert_eq!(answer.body, json!({"id": 1}));
    let seen = server.seen();
    assert_eq!(seen[1].line(), "GET /repositories/1?x=1 HTTP/1.1");
    assert_eq!(
        seen[1].header("authorization"),
        Some(format!("Bearer {TOKEN}").as_str())
    );
}

#[tokio::test]
async fn another_host_sees_neither_the_token_nor_the_request() {
    let other = Server::always(vec![json_answer("200 OK", "{}")]).await;
    let location = format!("{}/steal?token=in-query", other.url());
    let server = Server::always(vec![moved("302 Found", &location)]).await;
    let failure = send(&rest(&server.url()), &get("/x")).await.unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::AdapterUnsupported);
    assert!(failure.error.message.contains("another host"));
    assert!(!failure.error.message.contains("in-query"));
    assert_eq!(other.connections(), 0);
}

#[tokio::test]
async fn a_file_is_read_elsewhere_without_the_token() {
    let storage = Server::always(vec![answer(
        "200 OK",
        "Content-Type: text/plain; charset=utf-8\r\n",
        "\u{feff}log\n",
    )])
    .await;
    let location = format!("{}/log?signature=x", storage.url());
    let server = Server::always(vec![moved("302 Found", &location)]).await;
    let answer = send(&rest(&server.url()), &file("/logs", None))
        .await
        .unwrap();
    let expected = json!({
        "media_type": "text/plain",
        "size": 7,
        "lines": 1,
        "shown": "1",
        "text": "log\n",
    });
    assert_eq!(answer.body, expected);
    assert!(server.seen()[0].header("authorization").is_some());
    let seen = storage.seen().remove(0);
    assert_eq!(seen.line(), "GET /log?signature=x HTTP/1.1");
    assert_eq!(seen.header("authorization"), None);
}

/// A host elsewhere could send us back to make us use the token.
#[tokio::test]
async fn who_has_left_stays_anonymous() {
    let back = Arc::new(OnceLock::<String>::new());
    let sent_back = Arc::clone(&back);
    let storage =
        Server::start(move |_, _| vec![moved("302 Found", sent_back.get().unwrap())]).await;
    let target = format!("{}/x", storage.url());
    let server = Server::start(move |number, _| match number {
        0 => vec![moved("302 Found", &target)],
        _ => vec![json_answer("200 OK", "{}")],
    })
    .await;
    back.set(format!("{}/user", server.url())).unwrap();
    send(&rest(&server.url()), &file("/logs", None))
        .await
        .unwrap();
    assert_eq!(server.seen()[1].header("authorization"), None);
}

#[tokio::test]
async fn a_file_that_is_gone_is_not_found() {
    for (status, code) in [
        ("403 Forbidden", ErrorCode::NotFound),
        ("404 Not Found", ErrorCode::NotFound),
        ("410 Gone", ErrorCode::NotFound),
        ("500 Internal Server Error", ErrorCode::Server),
    ] {
        let storage = Server::always(vec![answer(status, "", "<Error>expired</Error>")]).await;
        let server = Server::always(vec![moved("302 Found", &storage.url())]).await;
        let failure = send(&rest(&server.url()), &file("/logs", None))
            .await
            .unwrap_err();
        assert_eq!(failure.error.code, code, "{status}");
    }
}

#[tokio::test]
async fn a_file_need_not_be_elsewhere() {
    let server = Server::always(vec![json_answer("200 OK", "{}")]).await;
    let rest = rest(&server.url());
    let answer = send(&rest, &file("/x", None)).await.unwrap();
    assert_eq!(answer.body["text"], "{}");
    let failure = send(&rest, &file("/x", Some("a.txt"))).await.unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::Validation);
    assert!(failure.error.message.contains("leave `entry` out"));
}

fn file(path: &str, entry: Option<&str>) -> RouteRequest {
    RouteRequest::Rest(RestRequest {
        answer: AnswerFormat::File,
        file: FileSelection {
            entry: entry.map(str::to_owned),
            part: None,
        },
        ..RestRequest::new(Method::Get, path)
    })
}

#[tokio::test]
async fn a_write_is_never_redirected() {
    // Only 307 and 308 say that the request has not been applied and must be sent elsewhere.
    for (status, outcome) in [
        ("301 Moved Permanently", Outcome::Unknown),
        ("302 Found", Outcome::Unknown),
        ("303 See Other", Outcome::Unknown),
        ("307 Temporary Redirect", Outcome::NotApplied),
        ("308 Permanent Redirect", Outcome::NotApplied),
    ] {
        let server = Server::always(vec![moved(status, "/elsewhere")]).await;
        let rest = rest(&server.url());
        let request = post("/repos/a/old/issues", json!({"title": "x"}));
        let failures = [
            send(&rest, &request).await.unwrap_err(),
            send(&graphql(&server.url()), &mutation())
                .await
                .unwrap_err(),
        ];
        for failure in failures {
            assert_eq!(failure.error.code, ErrorCode::AdapterUnsupported);
            assert_eq!(failure.outcome, outcome, "{status}");
            assert!(failure.error.message.contains("/elsewhere"), "{status}");
        }
        assert_eq!(server.seen().len(), 2, "{status}: one request each");
    }
}

#[tokio::test]
async fn three_redirects_are_enough() {
    let server = Server::always(vec![moved("302 Found", "/again")]).await;
    let failure = send(&rest(&server.url()), &get("/x")).await.unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::AdapterUnsupported);
    assert_eq!(server.seen().len(), 4);
}
