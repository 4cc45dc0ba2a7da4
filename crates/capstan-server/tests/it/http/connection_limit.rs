//! More idle clients than the connection limit: other clients are still served.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::client::parse_reply;
use super::server::TestServer;

/// More connections than the server allows.
const MANY: usize = 300;

/// Far less than the timeout of idle clients, and far more than a response takes.
const PROMPTLY: Duration = Duration::from_secs(15);

/// Opens many connections, each of which sends these bytes and nothing else.
async fn open_idle_connections(server: &TestServer, bytes: &str) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    for _ in 0..MANY {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        // The server may have closed the connection already.
        let _ = stream.write_all(bytes.as_bytes()).await;
        streams.push(stream);
    }
    streams
}

#[tokio::test]
async fn idle_clients_do_not_lock_others_out() {
    for bytes in [
        "",
        "GET /health HTTP/1.1\r\n",
        "POST /api/capabilities/issue.view/dependencies HTTP/1.1\r\nhost: HOST\r\ncontent-type: application/json\r\ncontent-length: 60\r\n\r\n{",
        "GET /health HTTP/1.1\r\nhost: HOST\r\n\r\n",
    ] {
        let server = TestServer::new().await;
        let bytes = bytes.replace("HOST", &server.address.to_string());
        let held = open_idle_connections(&server, &bytes).await;
        for _ in 0..3 {
            let answer = timeout(PROMPTLY, server.get("/health")).await;
            assert_eq!(answer.expect("a prompt response").status, 200, "{bytes}");
        }
        drop(held);
    }
}

/// A connection that is used regularly is not closed.
#[tokio::test]
async fn the_connection_that_was_idle_longest_is_closed() {
    let server = TestServer::new().await;
    let request = format!("GET /health HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
    let mut first = TcpStream::connect(server.address).await.unwrap();
    let mut active = TcpStream::connect(server.address).await.unwrap();
    let mut ask = async || {
        active.write_all(request.as_bytes()).await.unwrap();
        let mut answer = [0; 4096];
        let length = active.read(&mut answer).await.unwrap();
        assert_eq!(parse_reply(&answer[..length]).status, 200);
    };
    ask().await;
    let mut held = Vec::new();
    for _ in 0..4 {
        for _ in 0..MANY / 4 {
            held.push(TcpStream::connect(server.address).await.unwrap());
        }
        timeout(PROMPTLY, ask()).await.expect("a prompt response");
    }
    let mut rest = Vec::new();
    let ended = timeout(PROMPTLY, first.read_to_end(&mut rest)).await;
    ended.expect("the connection is closed").ok();
    assert!(rest.is_empty());
}
