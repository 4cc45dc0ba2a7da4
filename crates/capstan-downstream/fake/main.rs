//! An MCP server over standard input and output that misbehaves on request. It shares no type with
//! the client that is tested with it.
//!
//! `fake-mcp-server [--log FILE] [--stderr TEXT] [--die-at-start] [--hang-at-start] [--garbage]
//! [--tools N --page N] [--loop] [--modern] [--odd]`

mod options;
mod tools;

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::{self, BufRead as _, Write as _};

use serde_json::{Value, json};

use options::Options;

fn main() -> io::Result<()> {
    let options = Options::read(std::env::args().skip(1));
    let mut server = Server::new(options);
    server.log("start");
    io::stderr().write_all(server.options.stderr.as_bytes())?;
    if server.options.die_at_start {
        std::process::exit(3);
    }
    if server.options.garbage {
        server.line("Welcome to the server, listening on standard input\n{\"level\":30}")?;
    }
    for line in io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        if !server.options.hang_at_start {
            server.receive(&message)?;
        }
    }
    server.log("end");
    Ok(())
}

pub(crate) struct Server {
    options: Options,
    /// Calls that wait for a word, by that word.
    held: HashMap<String, Value>,
    /// Calls that wait for an answer of the client, by the id of our request.
    asking: HashMap<String, Value>,
    more_tools: Vec<Value>,
    /// Methods and tools in the order of their arrival.
    received: Vec<String>,
}

impl Server {
    fn new(options: Options) -> Self {
        Self {
            options,
            held: HashMap::new(),
            asking: HashMap::new(),
            more_tools: Vec::new(),
            received: Vec::new(),
        }
    }

    fn receive(&mut self, message: &Value) -> io::Result<()> {
        let id = message.get("id").cloned();
        let Some(method) = message.get("method").and_then(Value::as_str) else {
            return self.receive_answer(message);
        };
        let params = &message["params"];
        self.note(method, params);
        let Some(id) = id else { return Ok(()) };
        match method {
            "initialize" if self.options.modern => {
                self.refuse(&id, -32601, "there is no initialize any more")
            }
            "initialize" => {
                self.log(&format!("offered {}", params["capabilities"]));
                self.answer(
                    &id,
                    &json!({
                        "protocolVersion": params["protocolVersion"],
                        "capabilities": { "tools": { "listChanged": true } },
                        "serverInfo": { "name": "fake", "version": "1.2.3" },
                    }),
                )
            }
            "server/discover" if self.options.modern => self.answer(
                &id,
                &json!({
                    "resultType": "complete",
                    "supportedVersions": ["2026-07-28"],
                    "capabilities": { "tools": {} },
                    "ttlMs": 0,
                    "cacheScope": "private",
                }),
            ),
            "ping" if !self.options.modern => self.answer(&id, &json!({})),
            "tools/list" => {
                let page = tools::page(&self.options, &self.more_tools, &params["cursor"]);
                self.answer(&id, &page)
            }
            "tools/call" => tools::call(self, id, params),
            _ => self.refuse(&id, -32601, "unknown method"),
        }
    }

    /// An answer of the client goes to whoever made us ask.
    fn receive_answer(&mut self, message: &Value) -> io::Result<()> {
        let asked = message["id"].as_str().unwrap_or_default();
        match self.asking.remove(asked) {
            Some(call) => {
                let text = json!({ "result": message["result"], "error": message["error"] });
                self.text(&call, &text.to_string())
            }
            None => Ok(()),
        }
    }

    fn note(&mut self, method: &str, params: &Value) {
        let what = match method {
            "tools/call" => format!("call {}", params["name"].as_str().unwrap_or("?")),
            _ => method.to_owned(),
        };
        self.log(&what);
        self.received.push(what);
    }

    fn answer(&mut self, id: &Value, result: &Value) -> io::Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "result": result, "id": id }))
    }

    fn refuse(&mut self, id: &Value, code: i64, message: &str) -> io::Result<()> {
        let error = json!({ "code": code, "message": message });
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "error": error }))
    }

    fn text(&mut self, id: &Value, text: &str) -> io::Result<()> {
        let content = json!([{ "type": "text", "text": text }]);
        self.answer(id, &json!({ "content": content }))
    }

    fn notify(&mut self, method: &str, params: &Value) -> io::Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    fn send(&mut self, message: &Value) -> io::Result<()> {
        self.line(&message.to_string())
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        let mut output = io::stdout().lock();
        output.write_all(text.as_bytes())?;
        output.write_all(b"\n")?;
        output.flush()
    }

    /// What the test can read whatever becomes of us.
    fn log(&self, what: &str) {
        if let Some(file) = &self.options.log {
            let file = OpenOptions::new().create(true).append(true).open(file);
            let _ = file.and_then(|mut file| writeln!(file, "{what}"));
        }
    }
}
