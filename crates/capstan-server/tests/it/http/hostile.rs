//! Random and hostile requests: each gets a well-formed response, and the server keeps working.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;

use super::client::{Reply, exchange, exchange_with_shutdown, parse_reply};
use super::server::TestServer;

/// Parts of URLs: some that the server knows, and some that it must refuse.
const PIECES: [&str; 30] = [
    "/",
    "api",
    "capabilities",
    "dependencies",
    "graph",
    "snapshot",
    "hypergraph",
    "path",
    "neighbors",
    "search",
    "health",
    "issue.view",
    "?",
    "&",
    "=",
    "limit",
    "offset",
    "cursor",
    "from",
    "to",
    "direction",
    "both",
    "type",
    "sequence",
    "min_confidence",
    "0.5",
    "NaN",
    "%2F",
    "%00",
    "..",
];

fn target() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => prop::sample::select(PIECES.to_vec()).prop_map(str::to_owned),
        1 => any::<u8>().prop_map(|byte| format!("%{byte:02x}")),
        1 => "[!-~]{0,6}".prop_map(|text| text.replace('#', "%")),
    ];
    let rooted = prop::sample::select(vec![
        "/",
        "/api/",
        "/api/graph/",
        "/api/capabilities/",
        "/api/capabilities?",
        "/api/capabilities/issue.view/dependencies?",
        "/api/capabilities/issue.view/dependencies/",
        "/api/graph/snapshot?",
        "/api/graph/neighbors?capability=issue.view&",
        "/api/search?q=",
    ]);
    (rooted, prop::collection::vec(piece, 0..8))
        .prop_map(|(root, rest)| root.to_owned() + &rest.concat())
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        prop::sample::select(vec![
            "pr.view",
            "issue.view",
            "sequence",
            "contains",
            "manual",
            "template"
        ])
        .prop_map(Value::from),
    ];
    let name = prop_oneof![
        3 => prop::sample::select(vec!["to_capability_id", "edge_type", "edge_source"]).prop_map(str::to_owned),
        1 => ".{0,8}",
    ];
    leaf.prop_recursive(3, 24, 6, move |inner| {
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            3 => prop::collection::vec((name.clone(), inner), 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => json().prop_map(|value| value.to_string().into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 0..64),
        1 => Just(Vec::new()),
    ]
}

fn check(request: &str, answer: &[u8]) -> Result<(), TestCaseError> {
    prop_assert!(!answer.is_empty(), "no response to {request}");
    let reply: Reply = parse_reply(answer);
    prop_assert!(reply.status < 500, "{request}: {reply:?}");
    // The library responds to malformed HTTP without a body.
    if reply.status >= 400 && !reply.body.is_empty() {
        let body = reply.json();
        prop_assert!(body["error"]["message"].is_string(), "{request}: {reply:?}");
        prop_assert_eq!(&body["ok"], false);
    }
    Ok(())
}

/// Sends a request for each generated case to one server and checks the response.
fn check_all<S: Strategy>(
    cases: u32,
    strategy: &S,
    request: impl Fn(&TestServer, S::Value) -> Vec<u8>,
) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let server = runtime.block_on(TestServer::with_relations());
    let config = Config {
        failure_persistence: None,
        ..Config::with_cases(cases)
    };
    let ran = TestRunner::new(config).run(strategy, |input| {
        let bytes = request(&server, input);
        let answer = runtime.block_on(exchange(server.address, &bytes));
        check(&String::from_utf8_lossy(&bytes), &answer)
    });
    if let Err(failed) = ran {
        panic!("{failed}");
    }
    assert_eq!(runtime.block_on(server.get("/health")).status, 200);
}

#[test]
fn any_path_with_any_method_gets_a_response() {
    let method = prop::sample::select(vec![
        "GET", "GET", "GET", "DELETE", "POST", "PUT", "OPTIONS", "X",
    ]);
    check_all(400, &(method, target()), |server, (method, target)| {
        let host = server.address;
        format!("{method} {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n")
            .into_bytes()
    });
}

#[test]
fn any_body_gets_a_response() {
    check_all(400, &body(), |server, body| {
        let (host, length) = (server.address, body.len());
        let head = format!(
            "POST /api/capabilities/issue.view/dependencies HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
        );
        [head.into_bytes(), body].concat()
    });
}

#[test]
fn any_header_gets_a_response() {
    let name = prop::sample::select(vec![
        "host",
        "origin",
        "if-none-match",
        "authorization",
        "content-type",
        "content-length",
        "accept",
        "range",
    ]);
    let value = prop_oneof![
        "[ -~]{0,20}",
        Just("*".to_owned()),
        Just("W/\"\"".to_owned())
    ];
    let headers = prop::collection::vec((name, value), 0..4);
    check_all(300, &headers, |server, headers| {
        let host = server.address;
        let mut request =
            format!("GET /api/graph/snapshot HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        format!("{request}\r\n").into_bytes()
    });
}

#[test]
fn input_that_is_not_http_does_no_harm() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let server = TestServer::new().await;
        let long = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "x".repeat(1_000_000));
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(1000));
        for bytes in [
            &b"\r\n\r\n"[..],
            b"hello\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
            b"GET\r\n\r\n",
            long.as_bytes(),
            many.as_bytes(),
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n",
        ] {
            let answer = exchange_with_shutdown(server.address, bytes, true).await;
            let text = String::from_utf8_lossy(&answer);
            assert!(
                answer.is_empty() || text.starts_with("HTTP/1.1 4"),
                "{text}"
            );
        }
        assert_eq!(server.get("/health").await.status, 200);
    });
}
