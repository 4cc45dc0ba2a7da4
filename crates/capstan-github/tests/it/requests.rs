//! The requests that are sent, and the results of good answers.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use capstan_core::port::{Preflight, RouteAdapter};
use capstan_core::{AnswerFormat, ErrorCode, Method, Outcome, RestRequest, RouteRequest, Secret};
use capstan_github::{Endpoint, GithubHost, GraphqlAdapter, HttpClient, RestAdapter, TokenSource};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::server::{Server, answer, json as json_answer};
use crate::support::{TOKEN, client, delete, get, graphql, mutation, post, rest, send};

#[tokio::test]
async fn graphql_posts_document_and_variables() {
    let server = Server::always(vec![json_answer("200 OK", r#"{"data":{"a":{"b":1}}}"#)]).await;
    let answer = send(&graphql(&server.url()), &mutation()).await.unwrap();
    assert_eq!(answer.body, json!({"a": {"b": 1}}));
    assert_eq!(answer.next_page, None);
    let seen = server.seen().remove(0);
    assert_eq!(seen.line(), "POST /graphql HTTP/1.1");
    let body: Value = serde_json::from_str(&seen.body).unwrap();
    assert_eq!(body["operationName"], "Close");
    assert_eq!(body["variables"], json!({"id": "I_1"}));
    assert!(
        body["query"]
            .as_str()
            .unwrap()
            .starts_with("mutation Close")
    );
    for (header, value) in [
        ("authorization", format!("Bearer {TOKEN}")),
        ("accept", "application/vnd.github+json".to_owned()),
        ("x-github-api-version", "2022-11-28".to_owned()),
        ("content-type", "application/json".to_owned()),
        ("content-length", seen.body.len().to_string()),
        (
            "user-agent",
            concat!("capstan/", env!("CARGO_PKG_VERSION")).to_owned(),
        ),
    ] {
        assert_eq!(seen.header(header), Some(value.as_str()), "{header}");
    }
}

#[tokio::test]
async fn a_request_may_ask_for_another_media_type() {
    let server = Server::always(vec![json_answer("200 OK", "{}")]).await;
    let text_match = "application/vnd.github.text-match+json";
    for (accept, sent) in [
        (None, "application/vnd.github+json"),
        (Some(text_match), text_match),
    ] {
        let request = RouteRequest::Rest(RestRequest {
            accept: accept.map(str::to_owned),
            ..RestRequest::new(Method::Get, "/search/issues")
        });
        send(&rest(&server.url()), &request).await.unwrap();
        let seen = server.seen();
        assert_eq!(seen.last().unwrap().header("accept"), Some(sent));
    }
}

#[tokio::test]
async fn rest_knows_whether_there_is_another_page() {
    let link = "Link: <https://x/?page=1>; rel=\"prev\", <https://x/?page=3&after=a%3D#x>; rel=\"next\"\r\n";
    let server = Server::start(move |number, _| {
        let headers = if number == 0 { link } else { "" };
        vec![answer("200 OK", headers, "[1]")]
    })
    .await;
    let rest = rest(&server.url());
    let request = get("/repos/a/b/issues?per_page=1&page=2");
    let pages = [
        send(&rest, &request).await.unwrap().next_page,
        send(&rest, &request).await.unwrap().next_page,
    ];
    assert_eq!(pages, [Some("page=3&after=a%3D".to_owned()), None]);
    assert_eq!(
        server.seen()[0].line(),
        "GET /repos/a/b/issues?per_page=1&page=2 HTTP/1.1"
    );
}

#[tokio::test]
async fn text_is_not_parsed() {
    for (body, expected) in [
        ("diff --git a/x b/x\n", Some("diff --git a/x b/x\n")),
        ("{\"a\": 1}", Some("{\"a\": 1}")),
        ("<p>HTML is text, too</p>", Some("<p>HTML is text, too</p>")),
        ("", Some("")),
    ] {
        let server = Server::always(vec![answer("200 OK", "", body)]).await;
        let result = send(&rest(&server.url()), &asking("/x", AnswerFormat::Text)).await;
        assert_eq!(result.unwrap().body.as_str(), expected);
    }
    let binary = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n\xff\x00\xfe".to_vec();
    let server = Server::always(vec![crate::server::Action::Send(binary)]).await;
    let failure = send(&rest(&server.url()), &asking("/x", AnswerFormat::Text)).await;
    let error = failure.unwrap_err().error;
    assert_eq!(error.message, "the answer is not text (3 bytes)");
}

/// A missing page of a proxy, or a refusal, must not look like a no.
#[tokio::test]
async fn a_question_is_answered_with_yes_or_no() {
    let own_404 = r#"{"message":"Not Found","documentation_url":"https://docs.github.com/rest"}"#;
    for (status, body, expected) in [
        ("204 No Content", "", Ok(true)),
        ("200 OK", "[]", Ok(true)),
        ("404 Not Found", own_404, Ok(false)),
        (
            "404 Not Found",
            "<html>no such host</html>",
            Err(ErrorCode::NotFound),
        ),
        ("404 Not Found", "", Err(ErrorCode::NotFound)),
        (
            "403 Forbidden",
            r#"{"message":"Forbidden"}"#,
            Err(ErrorCode::Auth),
        ),
    ] {
        let server = Server::always(vec![answer(status, "", body)]).await;
        let result = send(&rest(&server.url()), &asking("/x", AnswerFormat::YesOrNo)).await;
        let result = result.map(|answer| answer.body);
        let result = result.map_err(|failure| failure.error.code);
        assert_eq!(result, expected.map(Value::Bool), "{status} {body}");
    }
}

fn asking(path: &str, answer: AnswerFormat) -> RouteRequest {
    RouteRequest::Rest(RestRequest {
        answer,
        ..RestRequest::new(Method::Get, path)
    })
}

#[tokio::test]
async fn no_content_is_null() {
    let bare = b"HTTP/1.1 204 No Content\r\n\r\n".to_vec();
    let server = Server::always(vec![crate::server::Action::Send(bare)]).await;
    let answer = send(&rest(&server.url()), &delete("/x")).await.unwrap();
    assert_eq!((answer.body, answer.next_page), (Value::Null, None));
}

/// The body of a 202 is empty and would look like an empty result.
#[tokio::test]
async fn a_read_that_is_still_being_prepared_is_asked_again_and_a_write_is_accepted() {
    let server = Server::always(vec![json_answer("202 Accepted", "{}")]).await;
    let failure = send(&rest(&server.url()), &get("/x")).await.unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::Server);
    assert!(failure.error.retryable, "{failure:?}");
    assert!(failure.error.message.contains("202"), "{failure:?}");
    assert!(
        failure.is_pending && failure.retry_after.is_none(),
        "{failure:?}"
    );
    let accepted = send(&rest(&server.url()), &delete("/x")).await.unwrap();
    assert_eq!(accepted.body, json!({}));
    assert!(accepted.is_accepted);
}

#[tokio::test]
async fn an_answer_that_is_being_prepared_may_say_how_long_it_takes() {
    let headers = "Retry-After: 7\r\n";
    let server = Server::always(vec![answer("202 Accepted", headers, "")]).await;
    let failure = send(&rest(&server.url()), &get("/x")).await.unwrap_err();
    assert_eq!(failure.retry_after, Some(Duration::from_secs(7)));
    assert!(failure.is_pending, "{failure:?}");
}

#[tokio::test]
async fn what_is_known_is_asked_for_by_its_tag() {
    let server = Server::start(|number, _| match number {
        1 => vec![answer(
            "304 Not Modified",
            "X-RateLimit-Remaining: 5\r\n",
            "",
        )],
        _ => vec![answer("200 OK", "ETag: W/\"a\"\r\n", "[1]")],
    })
    .await;
    let rest = rest(&server.url());
    let request = get("/x");
    let answers = [
        send(&rest, &request).await.unwrap().body,
        send(&rest, &request).await.unwrap().body,
    ];
    assert_eq!(answers, [json!([1]), json!([1])]);
    // A write, another path and another media type do not.
    let RouteRequest::Rest(mut other) = get("/x") else {
        panic!("a read over REST");
    };
    other.accept = Some("application/vnd.github.raw+json".to_owned());
    send(&rest, &RouteRequest::Rest(other)).await.unwrap();
    send(&rest, &get("/y")).await.unwrap();
    send(&rest, &delete("/x")).await.unwrap();
    let seen = server.seen();
    let tags: Vec<_> = seen.iter().map(|it| it.header("if-none-match")).collect();
    assert_eq!(tags, [None, Some("W/\"a\""), None, None, None]);
}

#[tokio::test]
async fn a_base_with_a_path_is_kept() {
    let server = Server::always(vec![json_answer("200 OK", "{}")]).await;
    let rest = rest(&format!("{}/api/v3", server.url()));
    send(&rest, &post("/repos/a/b/issues", json!({"title": "x"})))
        .await
        .unwrap();
    let seen = server.seen().remove(0);
    assert_eq!(seen.line(), "POST /api/v3/repos/a/b/issues HTTP/1.1");
    assert_eq!(seen.body, r#"{"title":"x"}"#);
}

#[tokio::test]
async fn compressed_answers_are_read() {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(br#"{"ok":true}"#).unwrap();
    let body = gzip.finish().unwrap();
    let server = Server::always(vec![answer("200 OK", "Content-Encoding: gzip\r\n", body)]).await;
    let answer = send(&rest(&server.url()), &get("/x")).await.unwrap();
    assert_eq!(answer.body, json!({"ok": true}));
    assert_eq!(server.seen()[0].header("accept-encoding"), Some("gzip"));
}

#[tokio::test]
async fn without_a_token_the_http_routes_are_not_ready() {
    let endpoint = Endpoint::for_host(&GithubHost::github_com()).unwrap();
    let client = Arc::new(HttpClient::new(endpoint, TokenSource::none()));
    let adapters: [Box<dyn RouteAdapter>; 2] = [
        Box::new(GraphqlAdapter::new(Arc::clone(&client))),
        Box::new(RestAdapter::new(client)),
    ];
    for adapter in adapters {
        let Preflight::NotReady(why) = adapter.preflight().await else {
            panic!("{} is ready without a token", adapter.route());
        };
        assert_eq!(why, "no token: set GITHUB_TOKEN or run `gh auth login`");
    }
    let ready = rest("http://127.0.0.1:1").preflight().await;
    assert_eq!(ready, Preflight::Ready);
}

#[tokio::test]
async fn the_token_is_in_no_error_and_no_debug_output() {
    let echo = format!(r#"{{"message":"what is {TOKEN}?"}}"#);
    let headers = format!("X-GitHub-Request-Id: {TOKEN}\r\n");
    let server = Server::always(vec![answer("403 Forbidden", &headers, echo)]).await;
    let client = client(&server.url());
    let failure = send(&RestAdapter::new(Arc::clone(&client)), &get("/x"))
        .await
        .unwrap_err();
    assert_eq!(failure.error.message, "what is [redacted]?");
    let shown = format!("{failure:?} {client:?}");
    assert!(!shown.contains(TOKEN), "{shown}");
}

#[tokio::test]
async fn a_token_that_cannot_be_sent_is_an_auth_error_that_does_not_show_it() {
    let endpoint = Endpoint::from_urls(
        "http://127.0.0.1:1",
        "http://127.0.0.1:1",
        &GithubHost::github_com(),
    )
    .unwrap();
    let client = HttpClient::new(
        endpoint,
        TokenSource::from_token(Secret::new("line\nbreak")),
    );
    let failure = send(&RestAdapter::new(Arc::new(client)), &get("/x"))
        .await
        .unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::Auth);
    assert_eq!(failure.outcome, Outcome::NotApplied);
    assert!(!format!("{failure:?}").contains("break\""));
}

#[tokio::test]
async fn a_request_of_another_route_is_not_sent() {
    let failure = send(&rest("http://127.0.0.1:1"), &mutation())
        .await
        .unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::AdapterUnsupported);
    assert_eq!(failure.outcome, Outcome::NotApplied);
}
