//! An HTTP client that shares no code with the HTTP library: it writes and reads bytes.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How long to wait for a response before the test fails.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A complete response.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reply {
    pub(super) status: u16,
    /// The headers, with names in lower case.
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

    /// Returns the code and the message of an error, and checks that it has the shape of all errors.
    #[track_caller]
    pub(super) fn error(&self) -> (String, String) {
        let body = self.json();
        let text = |field: &str| body["error"][field].as_str().map(str::to_owned);
        assert_eq!(body["ok"], false, "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/json"));
        (text("code").unwrap(), text("message").unwrap())
    }
}

/// Sends bytes and reads until the server closes the connection.
pub(super) async fn exchange(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    exchange_with_shutdown(address, bytes, false).await
}

/// Like [`exchange`]. With `shuts_down`, it closes the sending side after the bytes.
pub(super) async fn exchange_with_shutdown(
    address: SocketAddr,
    bytes: &[u8],
    shuts_down: bool,
) -> Vec<u8> {
    let work = async {
        let mut stream = TcpStream::connect(address).await.unwrap();
        // The server may close the connection before it has read everything.
        let _ = stream.write_all(bytes).await;
        if shuts_down {
            let _ = stream.shutdown().await;
        }
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response).await;
        response
    };
    timeout(TIMEOUT, work)
        .await
        .expect("the server closes the connection")
}

/// Sends a request, such as `GET /health`, on a connection of its own.
pub(super) async fn ask(
    address: SocketAddr,
    request: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Reply {
    let mut head = format!("{request} HTTP/1.1\r\n");
    let has_header = |name: &str| headers.iter().any(|(it, _)| it.eq_ignore_ascii_case(name));
    if !has_header("host") {
        head.push_str(&format!("host: {address}\r\n"));
    }
    if !body.is_empty() && !has_header("content-length") {
        head.push_str(&format!("content-length: {}\r\n", body.len()));
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("connection: close\r\n\r\n");
    let bytes = [head.as_bytes(), body].concat();
    parse_reply(&exchange(address, &bytes).await)
}

/// Parses a response that was read completely.
pub(super) fn parse_reply(response: &[u8]) -> Reply {
    let text = String::from_utf8(response.to_vec()).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").expect("a complete head");
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
