//! The port to downstream MCP servers, whose tools are capabilities here.

use std::time::Instant;

use serde_json::{Map, Value};

use super::{BoxFuture, Failure};
use crate::card::Operation;

pub trait ToolServers: Send + Sync {
    /// The configured servers in the order of their names. Starts nothing.
    fn names(&self) -> Vec<String>;

    /// The tools of one server; starts it when they are not known yet. The failure says what is
    /// wrong with the server, and what to do.
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

    /// How a server is: for `doctor`, which may start it.
    fn state<'a>(&'a self, server: &'a str, deadline: Instant) -> BoxFuture<'a, ServerState>;

    /// Ends every server that was started, politely first.
    fn stop(&self) -> BoxFuture<'_, ()>;
}

/// A tool as its server describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    pub name: String,
    pub description: String,
    pub input_schema: Value,
    /// Nothing where the server promises none.
    pub output_schema: Option<Value>,
    /// A tool may change things unless its server says that it only reads.
    pub operation: Operation,
    /// Calling it twice is as good as once, if its server says so.
    pub idempotent: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ToolAnswer {
    /// The structured content; else the text as JSON where it is JSON; else the text.
    pub data: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ServerState {
    /// It answers. What it calls itself, how many tools it has, and which cannot be used.
    Up {
        name: String,
        tools: usize,
        left_out: LeftOut,
    },
    /// Why it does not, and what to do.
    Down(String),
}

/// Tools that cannot be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    pub count: usize,
    /// Why, for the first of them.
    pub why: Vec<String>,
}
