//! A client that shares nothing with the MCP library: it writes and reads lines of JSON.

use std::sync::Arc;
use std::time::Duration;

use capstan_engine::Capstan;
use capstan_server::mcp::{McpOptions, ServeError, serve};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::fake::{self, Step};

/// Long enough for anything that happens at all.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Client {
    writer: WriteHalf<DuplexStream>,
    reader: Lines<BufReader<ReadHalf<DuplexStream>>>,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<Result<(), ServeError>>,
}

impl Client {
    /// With the data as JSON beside the text, which is what most tests look at.
    pub(crate) fn of(capstan: Arc<Capstan>) -> Self {
        let options = McpOptions {
            structured: true,
            ..McpOptions::default()
        };
        Self::with(capstan, options)
    }

    pub(crate) fn with(capstan: Arc<Capstan>, options: McpOptions) -> Self {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (reader, writer) = tokio::io::split(theirs);
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async move {
            // Without a sender nobody can say stop.
            if stopped.await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        let serving = tokio::spawn(serve(capstan, options, reader, writer, stopped));
        let (reader, writer) = tokio::io::split(ours);
        Self {
            writer,
            reader: BufReader::new(reader).lines(),
            stop: Some(stop),
            serving,
        }
    }

    /// A client of a server whose route does these steps.
    pub(crate) fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Self::of(fake::engine(steps).0)
    }

    /// The same, after the handshake of 2025-11-25.
    pub(crate) async fn initialized(capstan: Arc<Capstan>) -> Self {
        let mut client = Self::of(capstan);
        client.send(&initialize(0, "2025-11-25")).await;
        client.receive().await;
        client
            .send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
        client
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.send_raw(format!("{message}\n").as_bytes()).await;
    }

    pub(crate) async fn send_raw(&mut self, bytes: &[u8]) {
        self.writer.write_all(bytes).await.unwrap();
        self.writer.flush().await.unwrap();
    }

    pub(crate) async fn receive(&mut self) -> Value {
        let line = timeout(PATIENCE, self.reader.next_line())
            .await
            .expect("the server does not answer")
            .unwrap()
            .expect("the server hung up");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON on the wire: {line}"))
    }

    /// Sends and reads the answer, which must be the next line.
    pub(crate) async fn ask(&mut self, message: &Value) -> Value {
        self.send(message).await;
        let answer = self.receive().await;
        assert_eq!(answer["id"], message["id"], "{answer}");
        answer
    }

    /// The result of a request of revision 2026-07-28.
    pub(crate) async fn result(&mut self, method: &str, params: Value) -> Value {
        let answer = self.ask(&modern(8, method, params)).await;
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    /// The error that such a request is answered with.
    pub(crate) async fn error(&mut self, method: &str, params: Value) -> Value {
        let answer = self.ask(&modern(9, method, params)).await;
        assert!(answer["result"].is_null(), "{answer}");
        answer["error"].clone()
    }

    /// The result of a tool call in an initialized session.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let request = json!({
            "jsonrpc": "2.0", "id": 7, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}
        });
        let answer = self.ask(&request).await;
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    /// Closes the input and waits until the server ends. Answers the lines that still came.
    pub(crate) async fn hang_up(mut self) -> Vec<String> {
        self.writer.shutdown().await.unwrap();
        self.rest().await
    }

    /// Tells the server to stop and waits until it does.
    pub(crate) async fn stop(mut self) -> Vec<String> {
        self.stop.take().unwrap().send(()).unwrap();
        self.rest().await
    }

    async fn rest(mut self) -> Vec<String> {
        let mut rest = Vec::new();
        while let Some(line) = timeout(PATIENCE, self.reader.next_line())
            .await
            .expect("the server does not end")
            .unwrap()
        {
            rest.push(line);
        }
        timeout(PATIENCE, self.serving)
            .await
            .expect("the server does not end")
            .unwrap()
            .unwrap();
        rest
    }
}

pub(crate) fn initialize(id: u64, version: &str) -> Value {
    json!({
        "jsonrpc": "2.0", "id": id, "method": "initialize",
        "params": {
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}
        }
    })
}

/// A request of revision 2026-07-28: it says itself what it speaks.
pub(crate) fn modern(id: u64, method: &str, params: Value) -> Value {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// The text that the model reads.
pub(crate) fn text(result: &Value) -> &str {
    assert_eq!(result["content"].as_array().unwrap().len(), 1, "{result}");
    result["content"][0]["text"].as_str().unwrap()
}
