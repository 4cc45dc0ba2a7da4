//! An MCP server process, used over its standard input and output.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// The command that starts a server, and the call to measure.
#[derive(Clone, Debug)]
pub struct ServerCommand {
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Additional environment variables.
    pub env: Vec<(String, String)>,
    /// The parameters of `tools/call`.
    pub call: Value,
}

#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    #[error("cannot start `{name}`: {cause}")]
    Start { name: String, cause: std::io::Error },
    #[error("`{0}` has ended")]
    Ended(String),
    #[error("`{name}` answered with an error: {answer}")]
    Refused { name: String, answer: String },
}

/// A running server. It ends when this value is dropped.
#[derive(Debug)]
pub(super) struct Server {
    name: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    call: Value,
    next_id: u64,
}

impl Server {
    #[expect(
        clippy::disallowed_methods,
        reason = "the servers are what is measured"
    )]
    pub(super) fn start(command: &ServerCommand) -> Result<Self, ServerError> {
        let name = command.name.clone();
        let failed = |cause| ServerError::Start {
            name: command.name.clone(),
            cause,
        };
        let missing = || failed(std::io::Error::other("it has no command"));
        let (program, arguments) = command.command.split_first().ok_or_else(missing)?;
        let mut child = Command::new(program)
            .args(arguments)
            .envs(command.env.iter().cloned())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(missing());
        };
        let mut server = Self {
            name,
            child,
            input,
            output: BufReader::new(output),
            call: command.call.clone(),
            next_id: 0,
        };
        server.ask(
            "initialize",
            &json!({
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "capstan-bench", "version": env!("CARGO_PKG_VERSION")},
            }),
        )?;
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        server.send(&ready)?;
        Ok(server)
    }

    pub(super) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Makes the measured call and waits for the response.
    pub(super) fn call(&mut self) -> Result<(), ServerError> {
        let call = self.call.clone();
        let result = self.ask("tools/call", &call)?;
        if result["isError"] == true {
            return Err(self.refused(&result));
        }
        Ok(())
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, ServerError> {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let mut line = String::new();
        loop {
            line.clear();
            let read = self.output.read_line(&mut line);
            if !read.is_ok_and(|bytes| bytes > 0) {
                return Err(ServerError::Ended(self.name.clone()));
            }
            // All other messages are notifications or requests of the server.
            let mut answer: Value = serde_json::from_str(&line).unwrap_or_default();
            if answer["id"] == id {
                if answer.get("error").is_some() {
                    return Err(self.refused(&answer));
                }
                return Ok(answer["result"].take());
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), ServerError> {
        let sent = writeln!(self.input, "{message}").and_then(|()| self.input.flush());
        sent.map_err(|_| ServerError::Ended(self.name.clone()))
    }

    fn refused(&self, answer: &Value) -> ServerError {
        ServerError::Refused {
            name: self.name.clone(),
            answer: answer.to_string(),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
