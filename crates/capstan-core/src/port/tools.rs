//! The port to downstream MCP servers, whose tools are capabilities here.

use std::time::Instant;

use serde_json::{Map, Value};

use super::{BoxFuture, Failure};
use crate::card::Operation;

pub trait ToolServers: Send + Sync {
    /// Returns the configured servers in the order of their names. It starts nothing.
    fn names(&self) -> Vec<String>;

    /// Returns the tools of one server, and starts it if they are not known yet. A failure says
    /// what is wrong with the server, and what to do.
    fn tools<'a>(
        &'a self,
        server: &'a str,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<Vec<Tool>, Failure>>;

    /// Calls a tool, exactly once. Dropping the future cancels the call.
    fn call<'a>(
        &'a self,
        server: &'a str,
        tool: &'a str,
        input: Map<String, Value>,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<ToolAnswer, Failure>>;

    /// Returns the state of a server for `doctor`, which may start it.
    fn state<'a>(&'a self, server: &'a str, deadline: Instant) -> BoxFuture<'a, ServerState>;

    /// Stops every server that was started, gracefully first.
    fn stop(&self) -> BoxFuture<'_, ()>;
}

/// A tool as its server describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    pub name: String,
    pub description: String,
    pub input_schema: Value,
    /// `None` if the server declares none.
    pub output_schema: Option<Value>,
    /// A tool counts as a write unless its server says that it only reads.
    pub operation: Operation,
    /// Whether its server says that calling it twice has the same effect as once.
    pub idempotent: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ToolAnswer {
    /// The structured content; else the text as JSON if it is JSON; else the text.
    pub data: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ServerState {
    /// It answers: its own name, the number of its tools, and those that cannot be used.
    Up {
        name: String,
        tools: usize,
        left_out: LeftOut,
    },
    /// Why it does not answer, and what to do.
    Down(String),
}

/// Tools that cannot be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    pub count: usize,
    /// The reasons for the first of them.
    pub why: Vec<String>,
}
