//! A small HTTP client that hides nothing: broken connections and short bodies are errors.

use std::io::{self, ErrorKind, Read as _};
use std::net::SocketAddr;

use github_sim::{Server, Sim};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// A complete response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the body as JSON, decompressed if necessary; null if it is empty.
    pub(crate) fn json(&self) -> Value {
        if self.body.is_empty() {
            return Value::Null;
        }
        let text = self.text();
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("not JSON ({e}): {text}"))
    }

    pub(crate) fn text(&self) -> String {
        if self.header("content-encoding") == Some("gzip") {
            let mut text = String::new();
            flate2::read::GzDecoder::new(self.body.as_slice())
                .read_to_string(&mut text)
                .expect("gzip");
            return text;
        }
        String::from_utf8(self.body.clone()).expect("UTF-8")
    }
}

/// A simulator on a free port.
pub(crate) struct Host {
    pub(crate) sim: Sim,
    pub(crate) server: Server,
}

impl Host {
    pub(crate) async fn demo() -> Self {
        Self::of(Sim::demo()).await
    }

    pub(crate) async fn of(sim: Sim) -> Self {
        let server = sim
            .serve_tcp(SocketAddr::from(([127, 0, 0, 1], 0)))
            .await
            .expect("listen");
        Self { sim, server }
    }

    pub(crate) fn address(&self) -> String {
        self.server.url().trim_start_matches("http://").to_owned()
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send("GET", path, None).await.expect("an answer")
    }

    pub(crate) async fn call(&self, method: &str, path: &str, body: Value) -> Reply {
        self.send(method, path, Some(body))
            .await
            .expect("an answer")
    }

    pub(crate) async fn graphql(&self, query: &str) -> Reply {
        self.call("POST", "/graphql", serde_json::json!({ "query": query }))
            .await
    }

    pub(crate) async fn send(
        &self,
        method: &str,
        path: &str,
        body: Option<Value>,
    ) -> io::Result<Reply> {
        self.send_with(method, path, &["authorization: Bearer x"], body)
            .await
    }

    pub(crate) async fn send_with(
        &self,
        method: &str,
        path: &str,
        headers: &[&str],
        body: Option<Value>,
    ) -> io::Result<Reply> {
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        exchange(&self.address(), method, path, headers, body.as_bytes()).await
    }

    /// Sends a request to the API, or to the storage host, with a body of any kind.
    pub(crate) async fn send_to(
        &self,
        origin: &str,
        method: &str,
        path: &str,
        headers: &[&str],
        body: &[u8],
    ) -> Reply {
        let address = origin.trim_start_matches("http://");
        exchange(address, method, path, headers, body)
            .await
            .expect("an answer")
    }

    /// Gets an absolute address without any token.
    pub(crate) async fn get_url(&self, url: &str) -> Reply {
        self.get_url_with(url, &[]).await
    }

    pub(crate) async fn get_url_with(&self, url: &str, headers: &[&str]) -> Reply {
        let rest = url.strip_prefix("http://").expect("an address");
        let (address, path) = rest.split_once('/').expect("a path");
        self.send_to(address, "GET", &format!("/{path}"), headers, &[])
            .await
    }
}

/// Sends a request on a connection of its own.
async fn exchange(
    address: &str,
    method: &str,
    path: &str,
    headers: &[&str],
    body: &[u8],
) -> io::Result<Reply> {
    let mut stream = TcpStream::connect(address).await?;
    let mut all = vec!["connection: close"];
    all.extend(headers);
    write_bytes(&mut stream, address, method, path, &all, body).await?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await?;
    parse(&bytes)
}

pub(crate) async fn write_request(
    stream: &mut (impl tokio::io::AsyncWrite + Unpin),
    host: &str,
    method: &str,
    path: &str,
    headers: &[&str],
    body: Option<Value>,
) -> io::Result<()> {
    let body = body.map(|body| body.to_string()).unwrap_or_default();
    write_bytes(stream, host, method, path, headers, body.as_bytes()).await
}

async fn write_bytes(
    stream: &mut (impl tokio::io::AsyncWrite + Unpin),
    host: &str,
    method: &str,
    path: &str,
    headers: &[&str],
    body: &[u8],
) -> io::Result<()> {
    let mut text = format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {}\r\n",
        body.len()
    );
    for header in headers {
        text.push_str(header);
        text.push_str("\r\n");
    }
    text.push_str("\r\n");
    stream.write_all(text.as_bytes()).await?;
    stream.write_all(body).await
}

/// Parses a complete response. A missing response, or one shorter than `content-length`, is an error.
pub(crate) fn parse(bytes: &[u8]) -> io::Result<Reply> {
    let eof = || io::Error::from(ErrorKind::UnexpectedEof);
    let end = bytes
        .windows(4)
        .position(|window| window == b"\r\n\r\n")
        .ok_or_else(eof)?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.split("\r\n");
    let status = lines
        .next()
        .and_then(|line| line.split(' ').nth(1))
        .ok_or_else(eof)?;
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let reply = Reply {
        status: status.parse().expect("a status"),
        headers,
        body: bytes[end + 4..].to_vec(),
    };
    let promised = reply
        .header("content-length")
        .and_then(|length| length.parse().ok());
    if promised.is_some_and(|promised: usize| promised > reply.body.len()) {
        return Err(eof());
    }
    Ok(reply)
}
