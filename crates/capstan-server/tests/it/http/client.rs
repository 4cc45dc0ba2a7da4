//! A client that shares nothing with the HTTP library: it writes and reads bytes.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Long enough for anything that happens at all.
const PATIENCE: Duration = Duration::from_secs(30);

/// A whole answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reply {
    pub(super) status: u16,
    /// Their names are in small letters.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
}

impl Reply {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    #[track_caller]
    pub(super) fn json(&self) -> Value {
        let value = serde_json::from_str(&self.body);
        assert!(value.is_ok(), "not JSON: {self:?}");
        value.unwrap()
    }

    /// The code and the message of an error, which has the one shape that errors have.
    #[track_caller]
    pub(super) fn error(&self) -> (String, String) {
        let body = self.json();
        let text = |field: &str| body["error"][field].as_str().map(str::to_owned);
        assert_eq!(body["ok"], false, "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/json"));
        (text("code").unwrap(), text("message").unwrap())
    }
}

/// Sends bytes, and reads until the other end closes.
pub(super) async fn exchange(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    exchange_and(address, bytes, false).await
}

/// The same; it can be told that nothing else will come.
pub(super) async fn exchange_and(address: SocketAddr, bytes: &[u8], is_all: bool) -> Vec<u8> {
    let work = async {
        let mut stream = TcpStream::connect(address).await.unwrap();
        // It may close before it has read everything.
        let _ = stream.write_all(bytes).await;
        if is_all {
            let _ = stream.shutdown().await;
        }
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        answer
    };
    timeout(PATIENCE, work).await.expect("an end")
}

pub(super) async fn ask(
    address: SocketAddr,
    request: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Reply {
    let mut bytes = format!("{request} HTTP/1.1\r\n");
    let named = |name: &str| headers.iter().any(|(it, _)| it.eq_ignore_ascii_case(name));
    if !named("host") {
        bytes.push_str(&format!("host: {address}\r\n"));
    }
    if !body.is_empty() && !named("content-length") {
        bytes.push_str(&format!("content-length: {}\r\n", body.len()));
    }
    for (name, value) in headers {
        bytes.push_str(&format!("{name}: {value}\r\n"));
    }
    bytes.push_str("connection: close\r\n\r\n");
    let bytes = [bytes.as_bytes(), body].concat();
    read(&exchange(address, &bytes).await)
}

pub(super) fn read(answer: &[u8]) -> Reply {
    let text = String::from_utf8(answer.to_vec()).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").expect("a whole head");
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap();
    let headers = lines.map(|line| {
        let (name, value) = line.split_once(':').unwrap();
        (name.to_lowercase(), value.trim().to_owned())
    });
    Reply {
        status: status.parse().unwrap(),
        headers: headers.collect(),
        body: body.to_owned(),
    }
}
