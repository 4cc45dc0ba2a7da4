//! A server that answers every request with the headers of that request.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::json;

/// Where in the answer the headers stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mirror {
    /// HTTP 500 with GitHub's error body.
    Message,
    /// HTTP 422 with the parts of an error body.
    Parts,
    /// HTTP 502 with a page.
    Html,
    /// HTTP 200 with a page.
    Page,
    /// HTTP 200 with a GraphQL error.
    Graphql,
    /// HTTP 200 with data.
    Data,
    /// HTTP 403 with the headers sent back as headers that clients read.
    Headers,
    /// HTTP 302 to an address with the headers in it.
    Redirect,
}

impl Mirror {
    pub(super) const ALL: [Mirror; 8] = [
        Mirror::Message,
        Mirror::Parts,
        Mirror::Html,
        Mirror::Page,
        Mirror::Graphql,
        Mirror::Data,
        Mirror::Headers,
        Mirror::Redirect,
    ];
}

pub(super) struct Reflector {
    pub(super) url: String,
    seen: Arc<Mutex<String>>,
}

impl Reflector {
    /// `padding` characters stand before the headers. Serves until the process ends.
    pub(super) fn start(mirror: Mirror, padding: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(String::new()));
        let log = Arc::clone(&seen);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that goes away in the middle is none of our business.
                let _ = answer(&stream, mirror, padding, &log);
            }
        });
        Self { url, seen }
    }

    /// Whether a request had this text in its headers.
    pub(super) fn saw(&self, text: &str) -> bool {
        self.seen.lock().unwrap().contains(text)
    }
}

fn answer(
    stream: &TcpStream,
    mirror: Mirror,
    padding: usize,
    log: &Mutex<String>,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (Vec::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let line = line.trim_end().to_owned();
        if line.is_empty() {
            break;
        }
        let lower = line.to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        // The token first: then it is known where it stands.
        if lower.starts_with("authorization:") {
            head.insert(0, line.split_whitespace().last().unwrap().to_owned());
        } else {
            head.push(line);
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let head = head.join(" ");
    log.lock().unwrap().push_str(&head);
    let text = format!(
        "{}{head}{}",
        "x".repeat(padding.saturating_sub(1)) + " ",
        " tail".repeat(600)
    );
    let text = if padding == 0 { head.clone() } else { text };
    let token = head.split(' ').next().unwrap_or_default();
    let (status, kind, extra, body) = match mirror {
        Mirror::Message => ("500 X", "application/json", String::new(), json!({"message": text}).to_string()),
        Mirror::Parts => (
            "422 X",
            "application/json",
            String::new(),
            json!({"message": "Validation Failed", "errors": [text, {"message": text}, {"field": text, "code": text}], "documentation_url": text}).to_string(),
        ),
        Mirror::Html => ("502 X", "text/html", String::new(), format!("<html><h1>{text}</h1>")),
        Mirror::Page => ("200 OK", "text/html", String::new(), format!("<html><h1>{text}</h1>")),
        Mirror::Graphql => (
            "200 OK",
            "application/json",
            String::new(),
            json!({"data": null, "errors": [{"type": token, "message": text, "path": [token], "extensions": {"code": token}}]}).to_string(),
        ),
        Mirror::Data => {
            let issue = json!({"id": text, "number": 1, "title": text, "state": "OPEN", "url": text, "body": text});
            ("200 OK", "application/json", String::new(), json!({"text": text, "data": {"repository": {"issue": issue}}}).to_string())
        }
        Mirror::Headers => (
            "403 X",
            "application/json",
            format!("X-GitHub-Request-Id: {token}\r\nX-OAuth-Scopes: {token}\r\nX-Accepted-OAuth-Scopes: {token}\r\nX-GitHub-SSO: required; url=https://x/{token}\r\nRetry-After: {token}\r\n"),
            json!({"message": "no"}).to_string(),
        ),
        Mirror::Redirect => (
            "302 Found",
            "application/json",
            format!("Location: https://{token}@elsewhere.example/{token}?t={token}\r\n"),
            "{}".to_owned(),
        ),
    };
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nConnection: close\r\n{extra}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}
