//! An MCP server over streamable HTTP that misbehaves on request.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use http_body_util::{BodyExt as _, Full, StreamBody, combinators::UnsyncBoxBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

type Body = UnsyncBoxBody<Bytes, Infallible>;

/// What the server does with the next calls, until it is told otherwise.
#[derive(Clone, Debug, Default)]
pub(crate) enum Mood {
    #[default]
    Json,
    Events,
    /// The answer's stream ends before the answer.
    BrokenEvents,
    Status(u16, &'static str),
    Hang,
    /// The connection is closed without an answer.
    Drop,
    Huge(usize),
    HugeEvents(usize),
    Html,
}

#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) mood: Mood,
    /// Only 2026-07-28: no handshake, no session.
    pub(crate) modern: bool,
    /// Sessions that are known; another one is forgotten.
    pub(crate) session: u32,
    /// What came: methods, in order.
    pub(crate) log: Vec<String>,
    /// The `authorization` of each request.
    pub(crate) authorizations: Vec<Option<String>>,
}

pub(crate) struct HttpServer {
    pub(crate) state: Arc<Mutex<State>>,
    pub(crate) port: u16,
    serving: JoinHandle<()>,
}

impl HttpServer {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(Mutex::new(State::default()));
        let serving = tokio::spawn(serve(listener, Arc::clone(&state)));
        Self {
            state,
            port,
            serving,
        }
    }

    pub(crate) fn mood(&self, mood: Mood) {
        self.state.lock().unwrap().mood = mood;
    }

    pub(crate) fn forget_sessions(&self) {
        self.state.lock().unwrap().session += 1;
    }

    pub(crate) fn count(&self, what: &str) -> usize {
        let state = self.state.lock().unwrap();
        state.log.iter().filter(|line| *line == what).count()
    }

    pub(crate) fn stop(&self) {
        self.serving.abort();
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        self.stop();
    }
}

async fn serve(listener: TcpListener, state: Arc<Mutex<State>>) {
    // Connections end with the server.
    let mut connections = tokio::task::JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let state = Arc::clone(&state);
        connections.spawn(async move {
            let service = service_fn(move |request| answer(request, Arc::clone(&state)));
            let connection = hyper::server::conn::http1::Builder::new();
            // A connection that is dropped on request ends with an error.
            let _ = connection
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

#[derive(Debug, thiserror::Error)]
#[error("dropped on request")]
struct Dropped;

async fn answer(
    request: Request<Incoming>,
    state: Arc<Mutex<State>>,
) -> Result<Response<Body>, Dropped> {
    let header = |name: &str| {
        let value = request.headers().get(name)?.to_str().ok()?;
        Some(value.to_owned())
    };
    let (authorization, session) = (header("authorization"), header("mcp-session-id"));
    if request.method() != Method::POST {
        note(&state, request.method().as_str(), authorization);
        return Ok(empty(StatusCode::METHOD_NOT_ALLOWED));
    }
    let body = request.into_body().collect().await.unwrap().to_bytes();
    let message: Value = serde_json::from_slice(&body).unwrap();
    let method = message["method"].as_str().unwrap_or("answer").to_owned();
    note(&state, &method, authorization);
    let (mood, modern, current) = {
        let state = state.lock().unwrap();
        (state.mood.clone(), state.modern, state.session.to_string())
    };
    if let Mood::Status(status @ (401 | 302), text) = mood {
        return Ok(status_of(status, text));
    }
    if !modern && method != "initialize" && session.as_deref() != Some(&current) {
        return Ok(empty(StatusCode::NOT_FOUND));
    }
    let id = &message["id"];
    match method.as_str() {
        "initialize" if modern => Ok(status_of(400, "not any more")),
        "server/discover" => Ok(reply(
            id,
            &json!({
                "resultType": "complete",
                "supportedVersions": ["2026-07-28"],
                "capabilities": { "tools": {} },
                "ttlMs": 0,
                "cacheScope": "private",
            }),
        )),
        "initialize" => {
            let result = json!({
                "protocolVersion": "2025-06-18",
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "http", "version": "1" },
            });
            let mut response = reply(id, &result);
            let session = current.parse().unwrap();
            response.headers_mut().insert("mcp-session-id", session);
            Ok(response)
        }
        "tools/list" => {
            let tool = |name: &str, reads: bool| {
                json!({ "name": name, "inputSchema": { "type": "object" },
                    "annotations": { "readOnlyHint": reads } })
            };
            Ok(reply(
                id,
                &json!({ "tools": [tool("read", true), tool("write", false)] }),
            ))
        }
        "tools/call" => call(id, mood).await,
        "ping" if !matches!(mood, Mood::Hang) => Ok(reply(id, &json!({}))),
        "ping" => std::future::pending().await,
        _ => Ok(empty(StatusCode::ACCEPTED)),
    }
}

async fn call(id: &Value, mood: Mood) -> Result<Response<Body>, Dropped> {
    let text = |text: &str| json!({ "content": [{ "type": "text", "text": text }] });
    let huge = |bytes: usize| text(&"x".repeat(bytes));
    match mood {
        Mood::Json => Ok(reply(id, &text("as json"))),
        Mood::Events => {
            let progress = json!({ "jsonrpc": "2.0", "method": "notifications/progress",
                "params": { "progressToken": 0, "progress": 1 } });
            Ok(events(vec![progress, message(id, &text("as event"))]))
        }
        Mood::BrokenEvents => Ok(events(vec![])),
        Mood::Status(status, text) => Ok(status_of(status, text)),
        Mood::Hang => std::future::pending().await,
        Mood::Drop => Err(Dropped),
        Mood::Huge(bytes) => Ok(reply(id, &huge(bytes))),
        Mood::HugeEvents(bytes) => Ok(events(vec![message(id, &huge(bytes))])),
        Mood::Html => {
            let mut response = Response::new(full("<html>"));
            let kind = "text/html".parse().unwrap();
            response.headers_mut().insert("content-type", kind);
            Ok(response)
        }
    }
}

fn note(state: &Mutex<State>, what: &str, authorization: Option<String>) {
    let mut state = state.lock().unwrap();
    state.log.push(what.to_owned());
    state.authorizations.push(authorization);
}

fn message(id: &Value, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

fn reply(id: &Value, result: &Value) -> Response<Body> {
    let mut response = Response::new(full(&message(id, result).to_string()));
    let kind = "application/json".parse().unwrap();
    response.headers_mut().insert("content-type", kind);
    response
}

fn events(messages: Vec<Value>) -> Response<Body> {
    let frames = messages.into_iter().map(|message| {
        let event = format!("event: message\ndata: {message}\n\n");
        Ok::<_, Infallible>(Frame::data(Bytes::from(event)))
    });
    let body = StreamBody::new(futures_util::stream::iter(frames));
    let mut response = Response::new(body.boxed_unsync());
    let kind = "text/event-stream".parse().unwrap();
    response.headers_mut().insert("content-type", kind);
    response
}

fn status_of(status: u16, text: &str) -> Response<Body> {
    let mut response = Response::new(full(text));
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    response.headers_mut().insert("retry-after", 7.into());
    response
        .headers_mut()
        .insert("location", "http://127.0.0.1:1/elsewhere".parse().unwrap());
    response
}

fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(full(""));
    *response.status_mut() = status;
    response
}

fn full(text: &str) -> Body {
    Full::new(Bytes::from(text.to_owned())).boxed_unsync()
}
