//! Servers that hang, drip, flood, lie or break off. Each gives the right error in time and the
//! right outcome of a write.

use std::io::Write;

use capstan_core::port::{Failure, RouteAdapter};
use capstan_core::{ErrorCode, Outcome, RouteRequest};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use crate::server::{Action, Server, answer, json as json_answer};
use crate::support::{delete, get, graphql, mutation, post, rest, send, send_briefly};

fn write() -> RouteRequest {
    post("/repos/a/b/issues", json!({"title": "x"}))
}

fn code_and_outcome(failure: &Failure) -> (ErrorCode, Outcome) {
    (failure.error.code, failure.outcome)
}

#[tokio::test]
async fn a_hung_server_costs_no_more_than_the_deadline() {
    let server = Server::always(vec![Action::Hang]).await;
    let (rest, graphql) = (rest(&server.url()), graphql(&server.url()));
    let cases: [(&dyn RouteAdapter, RouteRequest); 4] = [
        (&rest, write()),
        (&rest, delete("/x")),
        (&rest, get("/x")),
        (&graphql, mutation()),
    ];
    for (adapter, request) in cases {
        let failure = send_briefly(adapter, &request).await.unwrap_err();
        assert_eq!(
            code_and_outcome(&failure),
            (ErrorCode::Network, Outcome::Unknown)
        );
    }
    assert_eq!(server.seen().len(), 4, "each was sent once");
}

#[tokio::test]
async fn a_slow_drip_ends_with_the_deadline() {
    let head = b"HTTP/1.1 201 Created\r\nContent-Length: 100000\r\n\r\n".to_vec();
    let server = Server::always(vec![Action::Send(head), Action::Drip]).await;
    let failure = send_briefly(&rest(&server.url()), &write())
        .await
        .unwrap_err();
    assert_eq!(
        code_and_outcome(&failure),
        (ErrorCode::Network, Outcome::Applied)
    );
    let failure = send_briefly(&graphql(&server.url()), &mutation())
        .await
        .unwrap_err();
    assert_eq!(
        code_and_outcome(&failure),
        (ErrorCode::Network, Outcome::Unknown)
    );
}

#[tokio::test]
async fn a_head_that_drips_ends_with_the_deadline() {
    let head = b"HTTP/1.1 200 OK\r\nX-Slow:".to_vec();
    let server = Server::always(vec![Action::Send(head), Action::Drip]).await;
    let failure = send_briefly(&rest(&server.url()), &write())
        .await
        .unwrap_err();
    assert_eq!(
        code_and_outcome(&failure),
        (ErrorCode::Network, Outcome::Unknown)
    );
}

#[tokio::test]
async fn twenty_megabytes_are_too_much() {
    let body = format!(r#"{{"data":"{}"}}"#, "x".repeat(20 * 1024 * 1024));
    let server = Server::always(vec![json_answer("201 Created", &body)]).await;
    let failure = send(&rest(&server.url()), &write()).await.unwrap_err();
    assert_eq!(
        code_and_outcome(&failure),
        (ErrorCode::Server, Outcome::Applied)
    );
    assert_eq!(
        failure.error.message,
        "the answer is larger than the limit of 10 MiB"
    );
    assert!(!failure.error.retryable);
}

#[tokio::test]
async fn a_gzip_bomb_is_measured_unpacked() {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    let zeros = vec![b' '; 1024 * 1024];
    for _ in 0..50 {
        gzip.write_all(&zeros).unwrap();
    }
    let bomb = gzip.finish().unwrap();
    assert!(bomb.len() < 1024 * 1024);
    let server = Server::always(vec![answer("200 OK", "Content-Encoding: gzip\r\n", bomb)]).await;
    let failure = send(&rest(&server.url()), &get("/x")).await.unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::Server);
    assert!(failure.error.message.contains("10 MiB"));
}

#[tokio::test]
async fn compressed_garbage_is_a_broken_answer() {
    let act = answer("200 OK", "Content-Encoding: gzip\r\n", "not gzip");
    let server = Server::always(vec![act]).await;
    let failure = send(&rest(&server.url()), &get("/x")).await.unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::Network);
}

#[tokio::test]
async fn a_truncated_success_of_a_write_happened() {
    let cut = b"HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{\"id\":".to_vec();
    let server = Server::always(vec![Action::Send(cut), Action::Close]).await;
    let failure = send(&rest(&server.url()), &write()).await.unwrap_err();
    assert_eq!(
        code_and_outcome(&failure),
        (ErrorCode::Network, Outcome::Applied)
    );
    // GraphQL answers 200 to everything.
    let failure = send(&graphql(&server.url()), &mutation())
        .await
        .unwrap_err();
    assert_eq!(
        code_and_outcome(&failure),
        (ErrorCode::Network, Outcome::Unknown)
    );
}

#[tokio::test]
async fn a_web_page_is_not_an_answer() {
    let page = "<!DOCTYPE html><title>Log in to the hotel's network</title>";
    let server = Server::start(move |number, _| {
        let status = if number < 2 {
            "200 OK"
        } else {
            "502 Bad Gateway"
        };
        vec![answer(status, "Content-Type: text/html\r\n", page)]
    })
    .await;
    let (rest, graphql) = (rest(&server.url()), graphql(&server.url()));
    let cases: [(&dyn RouteAdapter, RouteRequest); 4] = [
        (&rest, write()),
        (&graphql, mutation()),
        (&rest, write()),
        (&graphql, mutation()),
    ];
    for (adapter, request) in cases {
        let failure = send(adapter, &request).await.unwrap_err();
        assert_eq!(
            code_and_outcome(&failure),
            (ErrorCode::Server, Outcome::Unknown)
        );
        assert!(
            !failure.error.message.contains('<'),
            "{}",
            failure.error.message
        );
    }
}

#[tokio::test]
async fn data_that_is_a_string_is_no_data() {
    let server = Server::always(vec![json_answer("200 OK", r#"{"data":"null"}"#)]).await;
    let failure = send(&graphql(&server.url()), &mutation())
        .await
        .unwrap_err();
    assert_eq!(
        code_and_outcome(&failure),
        (ErrorCode::Server, Outcome::Unknown)
    );
}

#[tokio::test]
async fn a_reset_or_a_close_after_the_request_leaves_it_open() {
    for act in [Action::Reset, Action::Close] {
        let server = Server::always(vec![act.clone()]).await;
        let (rest, graphql) = (rest(&server.url()), graphql(&server.url()));
        let cases: [(&dyn RouteAdapter, RouteRequest); 3] = [
            (&rest, write()),
            (&rest, delete("/x")),
            (&graphql, mutation()),
        ];
        for (adapter, request) in cases {
            let failure = send(adapter, &request).await.unwrap_err();
            assert_eq!(
                code_and_outcome(&failure),
                (ErrorCode::Network, Outcome::Unknown),
                "{act:?}: {}",
                failure.error.message
            );
        }
        assert_eq!(server.seen().len(), 3, "{act:?}: each was sent once");
    }
}

#[tokio::test]
async fn what_is_not_http_is_a_server_error() {
    let server = Server::always(vec![
        Action::Send(b"SSH-2.0-x\r\n\r\n".to_vec()),
        Action::Close,
    ])
    .await;
    let failure = send(&rest(&server.url()), &write()).await.unwrap_err();
    assert_eq!(
        code_and_outcome(&failure),
        (ErrorCode::Server, Outcome::Unknown)
    );
}
