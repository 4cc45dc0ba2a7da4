//! The two ways in: an MCP client, and somebody at the command line. Both work on the same store and
//! the same GitHub, and both can be started anew.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::rc::Rc;

use serde_json::{Value, json};

use crate::cli::harness::{CAPSTAN, Place};

/// Where `capstan` runs, and what it is told each time.
pub(crate) struct World {
    pub(crate) place: Rc<Place>,
    flags: Vec<String>,
}

impl World {
    /// With the simulator inside.
    pub(crate) fn demo() -> Self {
        Self::with(&["--demo"])
    }

    pub(crate) fn with(flags: &[&str]) -> Self {
        Self::at(Place::new(), flags)
    }

    pub(crate) fn at(place: Place, flags: &[&str]) -> Self {
        Self {
            place: Rc::new(place),
            flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
        }
    }

    /// The same place and the same store, with further flags.
    pub(crate) fn also(&self, flags: &[&str]) -> Self {
        let more = flags.iter().map(|flag| (*flag).to_owned());
        Self {
            place: Rc::clone(&self.place),
            flags: self.flags.iter().cloned().chain(more).collect(),
        }
    }

    pub(crate) fn mcp(&self) -> Mcp<'_> {
        Mcp {
            world: self,
            server: None,
        }
    }

    pub(crate) fn cli(&self) -> Cli<'_> {
        Cli(self)
    }

    /// What it prints, as it is.
    pub(crate) fn capstan_text(&self, args: &[&str]) -> String {
        let mut all: Vec<&str> = self.flags.iter().map(String::as_str).collect();
        all.extend(args);
        self.place.run(&all).stdout
    }

    pub(crate) fn capstan(&self, args: &[&str]) -> Value {
        let mut all: Vec<&str> = self.flags.iter().map(String::as_str).collect();
        all.extend(["--json"]);
        all.extend(args);
        self.place.run(&all).json()
    }
}

/// A way in. Every answer is an envelope.
pub(crate) trait Surface {
    fn exec(&mut self, intent: &str, code: &str, args: &Value) -> Value;
    fn call(&mut self, name: &str, args: &Value) -> Value;
    fn run(&mut self, capability: &str, input: &Value) -> Value;
    /// Ends what runs; the next call starts anew.
    fn restart(&mut self);
}

pub(crate) struct Cli<'a>(&'a World);

impl Surface for Cli<'_> {
    fn exec(&mut self, intent: &str, code: &str, args: &Value) -> Value {
        let args = args.to_string();
        self.0
            .capstan(&["exec", "-e", code, "--intent", intent, "--args", &args])
    }

    fn call(&mut self, name: &str, args: &Value) -> Value {
        self.0.capstan(&["call", name, "--args", &args.to_string()])
    }

    fn run(&mut self, capability: &str, input: &Value) -> Value {
        let input = input.to_string();
        self.0.capstan(&["run", capability, "--input", &input])
    }

    fn restart(&mut self) {}
}

pub(crate) struct Mcp<'a> {
    world: &'a World,
    server: Option<Server>,
}

pub(crate) struct Server {
    pub(crate) child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl World {
    /// A server of its own, which has shaken hands.
    pub(crate) fn server(&self) -> Server {
        let mut child = self
            .place
            .command(CAPSTAN)
            .args(&self.flags)
            .args(["mcp", "--structured"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut server = Server {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            next: 0,
        };
        server.ask(
            "initialize",
            &json!({"protocolVersion": "2025-11-25", "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"}}),
        );
        server.send_message(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        server
    }
}

impl Server {
    pub(crate) fn execute(&mut self, arguments: &Value) -> Value {
        let result = self.tool("execute", arguments);
        result["structuredContent"].clone()
    }

    pub(crate) fn tool(&mut self, name: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({"name": name, "arguments": arguments}))
    }

    /// Sends without waiting for the answer.
    pub(crate) fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.next += 1;
        let id = self.next;
        self.send_message(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The next answer, of whichever request; nothing when the server is gone.
    pub(crate) fn receive(&mut self) -> Option<Value> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).unwrap_or(0) == 0 || !line.ends_with('\n') {
                return None;
            }
            let message: Value = serde_json::from_str(&line).unwrap();
            if message.get("id").is_some() && message.get("method").is_none() {
                return Some(message);
            }
        }
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        loop {
            let message = self.receive().expect("the server answers");
            if message["id"] == id {
                assert!(message.get("error").is_none(), "{message}");
                return message["result"].clone();
            }
        }
    }

    pub(crate) fn send_message(&mut self, message: &Value) {
        // One that was killed hears nothing.
        let _ = self.input.write_all(format!("{message}\n").as_bytes());
    }

    /// Ends it in the ordinary way.
    pub(crate) fn end(self) {
        let Server {
            mut child, input, ..
        } = self;
        drop(input);
        child.wait().unwrap();
    }
}

impl Mcp<'_> {
    pub(crate) fn server(&mut self) -> &mut Server {
        let world = self.world;
        self.server.get_or_insert_with(|| world.server())
    }
}

impl Surface for Mcp<'_> {
    fn exec(&mut self, intent: &str, code: &str, args: &Value) -> Value {
        let call = json!({"intent": intent, "code": code, "args": args});
        self.server().execute(&call)
    }

    fn call(&mut self, name: &str, args: &Value) -> Value {
        let call = json!({"intent": "as it was said", "capability": name, "args": args});
        self.server().execute(&call)
    }

    fn run(&mut self, capability: &str, input: &Value) -> Value {
        let call = json!({"capability": capability, "input": input});
        self.server().execute(&call)
    }

    fn restart(&mut self) {
        if let Some(server) = self.server.take() {
            server.end();
        }
    }
}

impl Drop for Mcp<'_> {
    fn drop(&mut self) {
        self.restart();
    }
}
