//! A server that is told to stop finishes what it began, and waits for nobody else.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::client::read;
use super::world::Served;

#[tokio::test]
async fn an_answer_in_the_making_is_finished() {
    let mut served = Served::new().await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    let body = r#"{"to_capability_id":"pr.view","edge_type":"sequence"}"#;
    let (first, rest) = body.split_at(20);
    let head = format!(
        "POST /api/capabilities/issue.view/dependencies HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{first}",
        served.address,
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // Another one shows that the first is read by now.
    assert_eq!(served.get("/health").await.status, 200);
    let address = served.address;
    served.ask_to_stop();
    let refused = async {
        while TcpStream::connect(address).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(20), refused)
        .await
        .expect("it listens no more");
    stream.write_all(rest.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    assert_eq!(read(&answer).status, 201);
    served.over().await;
}

#[tokio::test]
async fn idle_and_silent_clients_are_not_waited_for() {
    let served = Served::new().await;
    let silent = TcpStream::connect(served.address).await.unwrap();
    let mut idle = TcpStream::connect(served.address).await.unwrap();
    let request = format!("GET /health HTTP/1.1\r\nhost: {}\r\n\r\n", served.address);
    idle.write_all(request.as_bytes()).await.unwrap();
    let mut some = [0; 16];
    idle.read_exact(&mut some).await.unwrap();
    timeout(Duration::from_secs(20), served.stop())
        .await
        .expect("it ends");
    drop((silent, idle));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_never_finishes_is_given_up() {
    let served = Served::new().await;
    let mut slow = TcpStream::connect(served.address).await.unwrap();
    let head = format!(
        "POST /api/capabilities/issue.view/dependencies HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{{",
        served.address
    );
    slow.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    slow.read_to_end(&mut answer).await.unwrap();
    let reply = read(&answer);
    assert_eq!(reply.status, 408);
    assert_eq!(reply.error().0, "TIMEOUT");
}

/// It must not hold its place for ever.
#[tokio::test(start_paused = true)]
async fn a_client_that_takes_no_answers_is_given_up() {
    let served = Served::new().await;
    let mut greedy = TcpStream::connect(served.address).await.unwrap();
    let request = format!("GET / HTTP/1.1\r\nhost: {}\r\n\r\n", served.address);
    let many = request.repeat(1000);
    // Once nobody takes anything more, only the clock goes on.
    let asking = async { while greedy.write_all(many.as_bytes()).await.is_ok() {} };
    timeout(Duration::from_secs(600), asking)
        .await
        .expect("it is let go");
    assert_eq!(served.get("/health").await.status, 200);
}
