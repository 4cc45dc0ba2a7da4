//! Which requests are accepted: hosts, origins and tokens.

use capstan_core::Secret;
use capstan_server::http::{AccessOptions, ListenError, listen};

use super::client::{exchange, parse_reply};
use super::server::{ServerSetup, TestServer};
use crate::fake::TOKEN;

const ACCESS_TOKEN: &str = "a-token-that-callers-show";

#[tokio::test]
async fn requests_for_other_hosts_and_origins_are_refused() {
    let server = TestServer::new().await;
    let port = server.address.port();
    for host in [
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        format!("LOCALHOST:{port}"),
        format!("[::1]:{port}"),
    ] {
        let reply = server.ask_with("GET /health", &[("Host", &host)]).await;
        assert_eq!(reply.status, 200, "{host}");
        for scheme in ["http", "https"] {
            let origin = format!("{scheme}://{host}");
            let headers = [("Host", &*host), ("Origin", &*origin)];
            let reply = server.ask_with("GET /api/search?q=x", &headers).await;
            assert_eq!(reply.status, 200, "{origin}");
            let shared = |(name, _): &(String, String)| name.starts_with("access-control");
            assert!(!reply.headers.iter().any(shared), "{reply:?}");
        }
    }
    for host in [
        format!("evil.example:{port}"),
        format!("localhost.evil.example:{port}"),
        "localhost".to_owned(),
        "localhost:1".to_owned(),
        "evil.example".to_owned(),
        String::new(),
    ] {
        for request in ["GET /health", "GET /", "GET /nowhere", "DELETE /health"] {
            let reply = server.ask_with(request, &[("Host", &host)]).await;
            assert_eq!(reply.status, 403, "{request} {host}");
            let (code, message) = reply.error();
            assert_eq!(code, "POLICY");
            assert!(message.contains(&format!("`{host}`")), "{message}");
            assert!(message.contains("--allow-host"), "{message}");
        }
    }
    for origin in [
        "http://evil.example".to_owned(),
        format!("http://evil.example:{port}"),
        "null".to_owned(),
        String::new(),
        format!("localhost:{port}"),
        format!("ftp://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{port}/"),
        format!("http://127.0.0.1:{port}.evil.example"),
        format!("http://localhost:{port}"),
        "http://127.0.0.1".to_owned(),
    ] {
        let reply = server.ask_with("GET /", &[("Origin", &origin)]).await;
        assert_eq!(reply.status, 403, "{origin}");
    }
}

#[tokio::test]
async fn requests_with_ambiguous_hosts_are_refused() {
    let server = TestServer::new().await;
    let address = server.address;
    for head in [
        "GET / HTTP/1.1".to_owned(),
        "GET / HTTP/1.0".to_owned(),
        format!("GET / HTTP/1.1\r\nHost: {address}\r\nHost: {address}"),
        format!("GET / HTTP/1.1\r\nHost: {address}\r\nHost: evil.example"),
        format!("GET http://evil.example/ HTTP/1.1\r\nHost: {address}"),
        format!(
            "GET / HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nOrigin: http://{address}"
        ),
    ] {
        let bytes = format!("{head}\r\nConnection: close\r\n\r\n");
        let reply = parse_reply(&exchange(address, bytes.as_bytes()).await);
        assert!([400, 403].contains(&reply.status), "{head}: {reply:?}");
    }
    let whole = format!(
        "GET http://{address}/health HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(
        parse_reply(&exchange(address, whole.as_bytes()).await).status,
        200
    );
}

#[tokio::test]
async fn requests_must_carry_the_token() {
    let server = TestServer::with(ServerSetup {
        access: AccessOptions {
            token: Some(Secret::new(ACCESS_TOKEN)),
            hosts: vec!["capstan.example".to_owned()],
        },
        ..ServerSetup::default()
    })
    .await;
    let good = format!("Bearer {ACCESS_TOKEN}");
    for request in ["GET /", "GET /api/capabilities", "GET /api/graph/snapshot"] {
        for headers in [
            vec![],
            vec![("Authorization", "Bearer wrong")],
            vec![("Authorization", "Bearer a-token-that-callers-sho")],
            vec![("Authorization", ACCESS_TOKEN)],
            vec![("Authorization", "Basic YTpi")],
            vec![("Authorization", &*good), ("Authorization", &*good)],
        ] {
            let reply = server.ask_with(request, &headers).await;
            assert_eq!(reply.status, 401, "{headers:?}");
            assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
            assert_eq!(reply.error().0, "AUTH");
            assert!(!reply.body.contains(ACCESS_TOKEN), "{reply:?}");
        }
        let reply = server.ask_with(request, &[("authorization", &good)]).await;
        assert_eq!(reply.status, 200, "{reply:?}");
    }
    // `/health` needs no token. Without one, nobody learns which other paths exist.
    assert_eq!(server.get("/health").await.status, 200);
    assert_eq!(server.get("/nowhere").await.status, 401);
    assert_eq!(server.ask("POST /health").await.status, 405);
    assert_eq!(server.get("/health/x").await.status, 401);
    let named = [("host", "capstan.example"), ("authorization", &*good)];
    assert_eq!(server.ask_with("GET /", &named).await.status, 200);
    let other = [("host", "evil.example"), ("authorization", &*good)];
    assert_eq!(server.ask_with("GET /", &other).await.status, 403);
}

#[tokio::test]
async fn listening_beyond_loopback_requires_a_token() {
    let anywhere = "0.0.0.0:0".parse().unwrap();
    let refused = listen(anywhere, AccessOptions::default()).await;
    assert!(
        matches!(refused, Err(ListenError::TokenRequired(_))),
        "{refused:?}"
    );
    let options = AccessOptions {
        token: Some(Secret::new(ACCESS_TOKEN)),
        ..AccessOptions::default()
    };
    let shown = format!("{options:?}");
    assert!(!shown.contains(ACCESS_TOKEN), "{shown}");
    listen(anywhere, options).await.unwrap();
}

#[tokio::test]
async fn responses_do_not_repeat_secrets() {
    let server = TestServer::new().await;
    for request in [
        format!("GET /{TOKEN}"),
        format!("GET /api/capabilities/{TOKEN}/dependencies"),
        format!("GET /api/capabilities?{TOKEN}=1"),
        format!("GET /api/capabilities?kind={TOKEN}"),
        format!("GET /api/search?q={TOKEN}"),
        format!("GET /api/graph/snapshot?cursor={TOKEN}"),
        format!("GET /api/graph/path?from={TOKEN}&to={TOKEN}"),
        format!("DELETE /api/capabilities/{TOKEN}/dependencies/{TOKEN}"),
        format!("PUT /api/capabilities/{TOKEN}/dependencies"),
    ] {
        let reply = server.ask(&request).await;
        assert!(!format!("{reply:?}").contains(TOKEN), "{reply:?}");
    }
    let reply = server.add_relation("issue.view", TOKEN, "sequence").await;
    assert!(!format!("{reply:?}").contains(TOKEN), "{reply:?}");
}
