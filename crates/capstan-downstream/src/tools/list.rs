//! Asks a server for all of its tools, page by page, within bounds.

use std::collections::HashSet;
use std::time::Instant;

use capstan_core::port::Tool;
use rmcp::model::{ClientRequest, ErrorCode, ListToolsRequest, PaginatedRequestParams};
use serde_json::Value;

use super::describe;
use crate::line::{Fault, Kind, Line};

const MOST_TOOLS: usize = 2_000;
const MOST_PAGES: usize = 200;

/// How large all of them together may be.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// What is beyond the bounds, and what cannot be used, is left out with a warning.
pub(super) async fn all(server: &str, line: &Line, deadline: Instant) -> Result<Vec<Tool>, Fault> {
    let mut found = Found::default();
    let mut cursor = None;
    for _ in 0..MOST_PAGES {
        let page = match line.ask(request(cursor.as_deref()), deadline).await {
            Ok(page) => page,
            Err(fault) if has_none(&fault) => return Ok(found.tools),
            Err(fault) => return Err(fault),
        };
        let tools = page.get("tools").and_then(Value::as_array);
        for tool in tools.into_iter().flatten() {
            if !found.add(server, tool) {
                return Ok(found.tools);
            }
        }
        let next = page.get("nextCursor").and_then(Value::as_str);
        match next.filter(|next| !next.is_empty()) {
            // A server that gives the same page for ever.
            Some(next) if cursor.as_deref() == Some(next) => break,
            Some(next) => cursor = Some(next.to_owned()),
            None => return Ok(found.tools),
        }
    }
    tracing::warn!(
        server,
        "its list of tools does not end; the rest is left out"
    );
    Ok(found.tools)
}

/// A server without tools need not know the question.
fn has_none(fault: &Fault) -> bool {
    matches!(&fault.kind, Kind::Refused(error) if error.code == ErrorCode::METHOD_NOT_FOUND)
}

#[derive(Default)]
struct Found {
    tools: Vec<Tool>,
    names: HashSet<String>,
    bytes: usize,
}

impl Found {
    /// False when there is no room for more.
    fn add(&mut self, server: &str, raw: &Value) -> bool {
        let tool = match describe::read(raw) {
            Ok(tool) => tool,
            Err(why) => {
                tracing::warn!(server, why, "a tool is left out");
                return true;
            }
        };
        self.bytes += tool.input_schema.to_string().len();
        self.bytes += tool
            .output_schema
            .as_ref()
            .map_or(0, |it| it.to_string().len());
        if self.tools.len() >= MOST_TOOLS || self.bytes > MOST_BYTES {
            tracing::warn!(server, "it has too many tools; the rest is left out");
            return false;
        }
        if self.names.insert(tool.name.clone()) {
            self.tools.push(tool);
        } else {
            tracing::warn!(
                server,
                tool = tool.name,
                "a tool of the same name is left out"
            );
        }
        true
    }
}

fn request(cursor: Option<&str>) -> ClientRequest {
    let params =
        cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor.to_owned())));
    ClientRequest::ListToolsRequest(ListToolsRequest {
        method: Default::default(),
        params,
        extensions: Default::default(),
    })
}
