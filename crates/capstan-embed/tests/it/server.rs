//! A scripted server for tests.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// A request as it arrived.
#[derive(Clone, Debug)]
pub(crate) struct ReceivedRequest {
    pub(crate) line: String,
    pub(crate) authorization: Option<String>,
    pub(crate) body: Value,
}

impl ReceivedRequest {
    pub(crate) fn inputs(&self) -> Vec<&str> {
        let inputs = self.body["input"].as_array().unwrap();
        inputs.iter().map(|input| input.as_str().unwrap()).collect()
    }
}

pub(crate) struct Server {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<ReceivedRequest>>>,
}

type Script = dyn Fn(usize, &ReceivedRequest) -> Option<Response<String>> + Send + Sync;

impl Server {
    /// Starts a server. `script` returns the answer to the nth request; `None` means that it never
    /// answers.
    pub(crate) async fn start(
        script: impl Fn(usize, &ReceivedRequest) -> Option<Response<String>> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (record, script): (_, Arc<Script>) = (Arc::clone(&seen), Arc::new(script));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (record, script) = (Arc::clone(&record), Arc::clone(&script));
                let service = service_fn(move |request| {
                    let (record, script) = (Arc::clone(&record), Arc::clone(&script));
                    async move { Ok::<_, Infallible>(answer(request, &record, &*script).await) }
                });
                let served = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
                tokio::spawn(served);
            }
        });
        Self { address, seen }
    }

    pub(crate) fn base(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub(crate) fn seen(&self) -> Vec<ReceivedRequest> {
        self.seen.lock().unwrap().clone()
    }
}

async fn answer(
    request: Request<Incoming>,
    record: &Mutex<Vec<ReceivedRequest>>,
    script: &Script,
) -> Response<Full<Bytes>> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let authorization = head.headers.get("authorization");
    let seen = ReceivedRequest {
        line: format!("{} {}", head.method, head.uri),
        authorization: authorization.map(|value| value.to_str().unwrap().to_owned()),
        body: serde_json::from_slice(&body).unwrap(),
    };
    let number = {
        let mut record = record.lock().unwrap();
        record.push(seen.clone());
        record.len() - 1
    };
    match script(number, &seen) {
        Some(response) => response.map(|body| Full::new(Bytes::from(body))),
        None => std::future::pending().await,
    }
}

/// Returns a good answer: for each text its length and 1, last text first.
pub(crate) fn vectors(seen: &ReceivedRequest) -> Option<Response<String>> {
    let inputs = seen.inputs();
    let rows = inputs.iter().enumerate().rev().map(|(index, text)| {
        json!({ "object": "embedding", "index": index, "embedding": [text.len(), 1] })
    });
    let rows: Vec<_> = rows.collect();
    ok(&json!({ "object": "list", "data": rows, "usage": { "total_tokens": 1 } }))
}

pub(crate) fn ok(body: &Value) -> Option<Response<String>> {
    Some(Response::new(body.to_string()))
}

pub(crate) fn status(
    status: u16,
    headers: &[(&str, &str)],
    body: &Value,
) -> Option<Response<String>> {
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    Some(response.body(body.to_string()).unwrap())
}
