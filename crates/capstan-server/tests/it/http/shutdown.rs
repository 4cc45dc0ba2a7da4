//! Shutdown and timeouts: in-flight requests finish, and clients that do nothing are disconnected.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::client::parse_reply;
use super::server::TestServer;

#[tokio::test]
async fn in_flight_requests_finish_on_shutdown() {
    let mut server = TestServer::new().await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let body = r#"{"to_capability_id":"pr.view","edge_type":"sequence"}"#;
    let (first, rest) = body.split_at(20);
    let head = format!(
        "POST /api/capabilities/issue.view/dependencies HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{first}",
        server.address,
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // The response to another request shows that the server has read the first one by now.
    assert_eq!(server.get("/health").await.status, 200);
    let address = server.address;
    server.request_stop();
    let refused = async {
        while TcpStream::connect(address).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(20), refused)
        .await
        .expect("the port is closed");
    stream.write_all(rest.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    assert_eq!(parse_reply(&answer).status, 201);
    server.wait_until_stopped().await;
}

#[tokio::test]
async fn shutdown_does_not_wait_for_idle_clients() {
    let server = TestServer::new().await;
    let silent = TcpStream::connect(server.address).await.unwrap();
    let mut idle = TcpStream::connect(server.address).await.unwrap();
    let request = format!("GET /health HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
    idle.write_all(request.as_bytes()).await.unwrap();
    let mut some = [0; 16];
    idle.read_exact(&mut some).await.unwrap();
    timeout(Duration::from_secs(20), server.stop())
        .await
        .expect("the server stops");
    drop((silent, idle));
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_arrives_times_out() {
    let server = TestServer::new().await;
    let mut slow = TcpStream::connect(server.address).await.unwrap();
    let head = format!(
        "POST /api/capabilities/issue.view/dependencies HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{{",
        server.address
    );
    slow.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    slow.read_to_end(&mut answer).await.unwrap();
    let reply = parse_reply(&answer);
    assert_eq!(reply.status, 408);
    assert_eq!(reply.error().0, "TIMEOUT");
}

/// Otherwise the client would keep its connection slot for ever.
#[tokio::test(start_paused = true)]
async fn a_client_that_reads_no_responses_is_disconnected() {
    let server = TestServer::new().await;
    let mut greedy = TcpStream::connect(server.address).await.unwrap();
    let request = format!("GET / HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
    let many = request.repeat(1000);
    // Once all buffers are full, only the paused clock advances.
    let asking = async { while greedy.write_all(many.as_bytes()).await.is_ok() {} };
    timeout(Duration::from_secs(600), asking)
        .await
        .expect("the client is disconnected");
    assert_eq!(server.get("/health").await.status, 200);
}
