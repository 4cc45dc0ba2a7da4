//! An MCP client that shares no code with the MCP library: it writes and reads lines of JSON.

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

/// How long to wait for a message before the test fails.
const TIMEOUT: Duration = Duration::from_secs(20);

pub(crate) struct Client {
    writer: WriteHalf<DuplexStream>,
    reader: Lines<BufReader<ReadHalf<DuplexStream>>>,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<Result<(), ServeError>>,
}

impl Client {
    /// Connects to a server whose results have structured content, which most tests look at.
    pub(crate) fn structured(capstan: Arc<Capstan>) -> Self {
        let options = McpOptions {
            structured: true,
            ..McpOptions::default()
        };
        Self::with_options(capstan, options)
    }

    pub(crate) fn with_options(capstan: Arc<Capstan>, options: McpOptions) -> Self {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (reader, writer) = tokio::io::split(theirs);
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async move {
            // A dropped sender must not stop the server.
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

    /// Connects to a server whose route performs these steps.
    pub(crate) fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Self::structured(fake::engine(steps).0)
    }

    /// Connects and performs the handshake of 2025-11-25.
    pub(crate) async fn initialized(capstan: Arc<Capstan>) -> Self {
        let mut client = Self::structured(capstan);
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
        let line = timeout(TIMEOUT, self.reader.next_line())
            .await
            .expect("the server does not respond")
            .unwrap()
            .expect("the server hung up");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON on the wire: {line}"))
    }

    /// Sends a request and returns its response, which must be the next line.
    pub(crate) async fn ask(&mut self, message: &Value) -> Value {
        self.send(message).await;
        let response = self.receive().await;
        assert_eq!(response["id"], message["id"], "{response}");
        response
    }

    /// Sends a request of revision 2026-07-28 and returns its result.
    pub(crate) async fn result(&mut self, method: &str, params: Value) -> Value {
        let answer = self.ask(&modern(8, method, params)).await;
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    /// Sends a request of revision 2026-07-28 and returns the error that it must fail with.
    pub(crate) async fn error(&mut self, method: &str, params: Value) -> Value {
        let answer = self.ask(&modern(9, method, params)).await;
        assert!(answer["result"].is_null(), "{answer}");
        answer["error"].clone()
    }

    /// Calls a tool in an initialized session and returns the result.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let request = json!({
            "jsonrpc": "2.0", "id": 7, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}
        });
        let answer = self.ask(&request).await;
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    /// Closes the input and waits until the server ends. Returns the lines that it still sent.
    pub(crate) async fn hang_up(mut self) -> Vec<String> {
        self.writer.shutdown().await.unwrap();
        self.remaining_lines().await
    }

    /// Stops the server and waits until it ends. Returns the lines that it still sent.
    pub(crate) async fn stop(mut self) -> Vec<String> {
        self.stop.take().unwrap().send(()).unwrap();
        self.remaining_lines().await
    }

    async fn remaining_lines(mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = timeout(TIMEOUT, self.reader.next_line())
            .await
            .expect("the server does not end")
            .unwrap()
        {
            lines.push(line);
        }
        timeout(TIMEOUT, self.serving)
            .await
            .expect("the server does not end")
            .unwrap()
            .unwrap();
        lines
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

/// Returns a request of revision 2026-07-28, which names its revision itself.
pub(crate) fn modern(id: u64, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// Returns the text of a tool result, which is what the model reads.
pub(crate) fn text(result: &Value) -> &str {
    assert_eq!(result["content"].as_array().unwrap().len(), 1, "{result}");
    result["content"][0]["text"].as_str().unwrap()
}
