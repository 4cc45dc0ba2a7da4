//! Bad requests: statuses, codes and messages.

use serde_json::json;

use super::client::{ask, exchange, parse_reply};
use super::server::TestServer;

#[tokio::test]
async fn unknown_paths_are_not_found() {
    let server = TestServer::new().await;
    for path in [
        "/nowhere",
        "/api",
        "/api/",
        "/api/capabilities/",
        "/api/capabilities/issue.view",
        "/api/capabilities/issue.view/dependencies/",
        "/api/capabilities/files:read/all/dependencies",
        "/api/capabilities//dependencies",
        "/api/capabilities/%20/dependencies",
        "/api/capabilities//dependencies/issue.view",
        "//",
        "/api/graph",
        "/health/",
    ] {
        let reply = server.get(path).await;
        assert_eq!(reply.status, 404, "{path}: {reply:?}");
        let (code, message) = reply.error();
        assert_eq!(code, "NOT_FOUND");
        assert!(message.contains(path), "{message}");
        assert!(!reply.body.contains("mend"), "{reply:?}");
    }
}

#[tokio::test]
async fn unsupported_methods_are_refused_with_the_allow_header() {
    let server = TestServer::new().await;
    for (request, allowed) in [
        ("POST /", "GET,HEAD"),
        ("DELETE /api/capabilities", "GET,HEAD"),
        ("OPTIONS /api/search", "GET,HEAD"),
        (
            "PUT /api/capabilities/issue.view/dependencies",
            "GET,HEAD,POST",
        ),
        (
            "PUT /api/capabilities/issue.view/dependencies/pr.view",
            "GET,HEAD,PATCH,DELETE",
        ),
        ("POST /api/graph/snapshot", "GET,HEAD"),
        ("BREW /health", "GET,HEAD"),
    ] {
        let reply = server.ask(request).await;
        assert_eq!(reply.status, 405, "{request}: {reply:?}");
        assert_eq!(reply.header("allow"), Some(allowed), "{request}");
        assert_eq!(reply.error().0, "VALIDATION", "{request}");
    }
}

#[tokio::test]
async fn bad_parameters_are_reported() {
    let server = TestServer::new().await;
    let deps = "/api/capabilities/issue.view/dependencies";
    for (path, message) in [
        (
            "/health?verbose=1".to_owned(),
            "`verbose` is not a parameter here: expected nothing",
        ),
        (
            "/health?nothin=1".to_owned(),
            "`nothin` is not a parameter here: expected nothing",
        ),
        (
            "/api/graph/snapshot?tpye=x".to_owned(),
            "`tpye` is not a parameter here: did you mean `type`?",
        ),
        (
            "/api/graph/snapshot?type=foo".to_owned(),
            "`type` is not valid: `foo` is not a relation type: expected one of contains, sequence, dependency, alternative",
        ),
        (
            "/api/graph/neighbors?capability=issue.view&edge_type=foo".to_owned(),
            "`edge_type` is not valid: `foo` is not a relation type: expected one of contains, sequence, dependency, alternative",
        ),
        (
            "/api/graph/hypergraph?source=me".to_owned(),
            "`source` is not valid: `me` is not a relation source: expected one of template, inferred, observed, manual",
        ),
        (
            format!("/api/search?intent={}", "x".repeat(1001)),
            "`intent` is too long: expected at most 1000 bytes, not 1001",
        ),
        (
            "/api/capabilities?knid=card".to_owned(),
            "`knid` is not a parameter here: did you mean `kind`?",
        ),
        (
            "/api/capabilities?x=1".to_owned(),
            "`x` is not a parameter here: expected domain, kind, limit, offset",
        ),
        (
            "/api/capabilities?kind=cards".to_owned(),
            "`kind` must be one of card, tool, code, skill, system, not `cards`",
        ),
        (
            "/api/capabilities?limit=201".to_owned(),
            "`limit` must be a whole number from 1 to 200, not `201`",
        ),
        (
            "/api/capabilities?limit=%2B5".to_owned(),
            "`limit` must be a whole number from 1 to 200, not `+5`",
        ),
        (
            "/api/capabilities?limit=0".to_owned(),
            "`limit` must be a whole number from 1 to 200, not `0`",
        ),
        (
            "/api/capabilities?offset=-1".to_owned(),
            "`offset` must be a whole number of at least 0, not `-1`",
        ),
        (
            "/api/capabilities?offset=99999999999999999999999".to_owned(),
            "`offset` must be a whole number of at least 0, not `99999999999999999999999`",
        ),
        (
            format!("{deps}?limit=5&limit=6"),
            "`limit` is given twice: send it once",
        ),
        (
            format!("{deps}?direction=up"),
            "`direction` must be from, to or both, not `up`",
        ),
        (
            format!("{deps}?edge_type=needs"),
            "`edge_type` is not valid: `needs` is not a relation type: expected one of contains, sequence, dependency, alternative",
        ),
        (
            format!("{deps}?edge_type=sequence&type=sequence"),
            "`type` means the same as `edge_type`: send only one of them",
        ),
        (
            format!("{deps}?edge_source=me"),
            "`edge_source` is not valid: `me` is not a relation source: expected one of template, inferred, observed, manual",
        ),
        (
            format!("{deps}?min_confidence=2"),
            "`min_confidence` must be a number from 0 to 1, not `2`",
        ),
        (
            format!("{deps}?min_confidence=NaN"),
            "`min_confidence` must be a number from 0 to 1, not `NaN`",
        ),
        (
            "/api/graph/path?from=issue.view".to_owned(),
            "`to` is missing: expected the id of the capability where the path ends",
        ),
        (
            "/api/graph/neighbors?capability=issue.view&depth=11".to_owned(),
            "`depth` must be a whole number from 1 to 10, not `11`",
        ),
        (
            "/api/graph/snapshot?cursor=page:2".to_owned(),
            "`cursor` is not valid: `page:2` is not a cursor: send the one from the previous page unchanged",
        ),
        (
            "/api/search?q=".to_owned(),
            "`q` is missing: expected what you want to do, in words",
        ),
        (
            "/api/search?q=+".to_owned(),
            "`q` is missing: expected what you want to do, in words",
        ),
        (
            "/api/graph/path?from=%20&to=issue.view".to_owned(),
            "`from` is missing: expected the id of the capability where the path starts",
        ),
        (
            "/api/search?q=%ff".to_owned(),
            "a query parameter cannot be decoded: expected percent-encoded UTF-8",
        ),
        (
            "/api/capabilities/%ff/dependencies".to_owned(),
            "a name in the URL path cannot be decoded: expected percent-encoded UTF-8",
        ),
    ] {
        let reply = server.get(&path).await;
        assert_eq!(reply.status, 400, "{path}: {reply:?}");
        assert_eq!(
            reply.error(),
            ("VALIDATION".to_owned(), message.to_owned()),
            "{path}"
        );
    }
}

#[tokio::test]
async fn bad_fields_are_reported() {
    let server = TestServer::new().await;
    let path = "/api/capabilities/issue.view/dependencies";
    for (body, field, message) in [
        (
            json!({}),
            "to_capability_id",
            "`to_capability_id` is missing: expected the id of a capability",
        ),
        (
            json!({"to_capability_id": "", "edge_type": "sequence"}),
            "to_capability_id",
            "`to_capability_id` is empty: expected the id of a capability",
        ),
        (
            json!({"to_capability_id": 5, "edge_type": "sequence"}),
            "to_capability_id",
            "`to_capability_id` must be a text, not a number",
        ),
        (
            json!({"to_capability_id": "pr.view"}),
            "edge_type",
            "`edge_type` is missing: expected one of contains, sequence, dependency, alternative",
        ),
        (
            json!({"to_capability_id": "pr.view", "edge_type": "needs"}),
            "edge_type",
            "`edge_type` must be one of contains, sequence, dependency, alternative, not `needs`",
        ),
        (
            json!({"to_capability_id": "pr.view", "edge_type": ["sequence"]}),
            "edge_type",
            "`edge_type` must be one of contains, sequence, dependency, alternative, not a list",
        ),
        (
            json!({"to_capability_id": "pr.view", "edge_type": "sequence", "edge_source": "me"}),
            "edge_source",
            "`edge_source` must be one of template, inferred, observed, manual, not `me`",
        ),
        (
            json!({"to_capability_id": "pr.view", "edge_type": "sequence", "confidence": 1}),
            "confidence",
            "`confidence` is not a field here: expected to_capability_id, edge_type, edge_source",
        ),
        (
            json!({"to_capability_id": "pr.view", "edge_typ": "sequence"}),
            "edge_type",
            "`edge_type` is missing: expected one of contains, sequence, dependency, alternative",
        ),
    ] {
        let reply = server.post(path, &body).await;
        assert_eq!(reply.status, 400, "{body}: {reply:?}");
        assert_eq!(
            reply.error(),
            ("VALIDATION".to_owned(), message.to_owned()),
            "{body}"
        );
        assert_eq!(
            reply.json()["error"]["details"]["fields"][0]["field"],
            field
        );
    }
    for body in ["[]", "5", "\"x\"", "null"] {
        let reply = server
            .post(path, &serde_json::from_str(body).unwrap())
            .await;
        assert_eq!(reply.status, 400, "{body}: {reply:?}");
        assert!(reply.error().1.starts_with("the body must be an object"));
    }
    let unknown = server
        .add_relation("issue.view", "issue.veiw", "sequence")
        .await;
    assert_eq!(unknown.status, 404);
    assert_eq!(unknown.json()["error"]["details"]["near"][0], "issue.view");
    let list = server.json(path).await;
    assert_eq!(list["total"], 0, "nothing was changed");
}

#[tokio::test]
async fn bodies_must_be_small_json_objects() {
    let server = TestServer::new().await;
    let request = "POST /api/capabilities/issue.view/dependencies";
    let json = ("content-type", "application/json; charset=utf-8");
    for body in [
        &b"{"[..],
        b"",
        b"{\"a\":\xff}",
        b"{} {}",
        &b"[".repeat(60_000),
    ] {
        let reply = ask(server.address, request, &[json], body).await;
        assert_eq!(reply.status, 400, "{reply:?}");
        assert!(
            reply.error().1.starts_with("the body is not valid JSON: "),
            "{reply:?}"
        );
    }
    let good = br#"{"to_capability_id":"pr.view","edge_type":"sequence"}"#;
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "application/json-seq",
        "",
    ] {
        let reply = ask(server.address, request, &[("content-type", kind)], good).await;
        assert_eq!(reply.status, 415, "{kind}: {reply:?}");
        assert_eq!(reply.error().0, "VALIDATION");
    }
    assert_eq!(ask(server.address, request, &[], good).await.status, 415);

    let large = format!("{{\"x\":\"{}\"}}", "y".repeat(64 * 1024));
    let reply = ask(server.address, request, &[json], large.as_bytes()).await;
    assert_eq!(reply.status, 413, "{reply:?}");
    assert_eq!(
        reply.error().1,
        "the body is too large: send at most 64 KiB"
    );
    // The same without a `Content-Length`.
    let chunk = format!("4000\r\n{}\r\n", "y".repeat(0x4000));
    let head = format!(
        "{request} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n",
        server.address
    );
    let bytes = format!("{head}{}0\r\n\r\n", chunk.repeat(5));
    let reply = parse_reply(&exchange(server.address, bytes.as_bytes()).await);
    assert_eq!(reply.status, 413, "{reply:?}");

    let list = server
        .json("/api/capabilities/issue.view/dependencies")
        .await;
    assert_eq!(list["total"], 0, "nothing was changed");
    assert_eq!(
        ask(server.address, request, &[json], good).await.status,
        201
    );
}

#[tokio::test]
async fn names_that_are_too_long_are_refused() {
    let server = TestServer::new().await;
    let long = "x".repeat(301);
    for request in [
        format!("GET /api/capabilities/{long}/dependencies"),
        format!("DELETE /api/capabilities/issue.view/dependencies/{long}"),
        format!("GET /api/graph/path?from={long}&to=issue.view"),
        format!("GET /api/capabilities?domain={long}"),
        format!("GET /api/search?q={}", "x".repeat(1001)),
    ] {
        let reply = server.ask(&request).await;
        assert_eq!(reply.status, 400, "{reply:?}");
        assert!(reply.error().1.contains("too long"), "{reply:?}");
    }
}

#[tokio::test]
async fn duplicate_keys_are_refused() {
    let server = TestServer::new().await;
    let body =
        br#"{"to_capability_id":"pr.view","edge_type":"sequence","to_capability_id":"pr.list"}"#;
    let request = "POST /api/capabilities/issue.view/dependencies";
    let reply = ask(
        server.address,
        request,
        &[("content-type", "application/json")],
        body,
    )
    .await;
    let (code, message) = reply.error();
    assert_eq!((reply.status, &*code), (400, "VALIDATION"));
    assert!(
        message.contains("the key `to_capability_id` is given twice"),
        "{message}"
    );
}
