//! More clients than there is room for, who say nothing: the others are answered all the same.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::client::read;
use super::world::Served;

/// More than the server has room for.
const MANY: usize = 300;

/// Far less than the time for which silence is borne, and far more than an answer takes.
const AT_ONCE: Duration = Duration::from_secs(15);

/// Connections that each sent this much and no more.
async fn silent(served: &Served, bytes: &str) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    for _ in 0..MANY {
        let mut stream = TcpStream::connect(served.address).await.unwrap();
        // Whoever was silent longest may be gone by then.
        let _ = stream.write_all(bytes.as_bytes()).await;
        streams.push(stream);
    }
    streams
}

#[tokio::test]
async fn silent_clients_keep_nobody_out() {
    for bytes in [
        "",
        "GET /health HTTP/1.1\r\n",
        "POST /api/capabilities/issue.view/dependencies HTTP/1.1\r\nhost: HOST\r\ncontent-type: application/json\r\ncontent-length: 60\r\n\r\n{",
        "GET /health HTTP/1.1\r\nhost: HOST\r\n\r\n",
    ] {
        let served = Served::new().await;
        let bytes = bytes.replace("HOST", &served.address.to_string());
        let held = silent(&served, &bytes).await;
        for _ in 0..3 {
            let answer = timeout(AT_ONCE, served.get("/health")).await;
            assert_eq!(answer.expect("an answer at once").status, 200, "{bytes}");
        }
        drop(held);
    }
}

/// A client that keeps its connection and uses it is not the one that makes room.
#[tokio::test]
async fn who_was_silent_longest_makes_room() {
    let served = Served::new().await;
    let request = format!("GET /health HTTP/1.1\r\nhost: {}\r\n\r\n", served.address);
    let mut first = TcpStream::connect(served.address).await.unwrap();
    let mut lively = TcpStream::connect(served.address).await.unwrap();
    let mut ask = async || {
        lively.write_all(request.as_bytes()).await.unwrap();
        let mut answer = [0; 4096];
        let length = lively.read(&mut answer).await.unwrap();
        assert_eq!(read(&answer[..length]).status, 200);
    };
    ask().await;
    let mut held = Vec::new();
    for _ in 0..4 {
        for _ in 0..MANY / 4 {
            held.push(TcpStream::connect(served.address).await.unwrap());
        }
        timeout(AT_ONCE, ask()).await.expect("an answer at once");
    }
    let mut rest = Vec::new();
    let ended = timeout(AT_ONCE, first.read_to_end(&mut rest)).await;
    ended.expect("it made room").ok();
    assert!(rest.is_empty());
}
