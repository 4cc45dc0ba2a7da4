//! Asks a server for all of its tools, page by page, within limits.

use std::collections::HashSet;
use std::time::Instant;

use capstan_core::port::{LeftOut, Tool};
use rmcp::model::{ClientRequest, ErrorCode, ListToolsRequest, PaginatedRequestParams};
use serde_json::Value;

use super::describe;
use crate::channel::{FaultKind, RequestChannel, RequestFault};

const MAX_TOOLS: usize = 2_000;
const MAX_PAGES: usize = 200;

/// The total size of all schemas, in bytes.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// How many reasons are reported for tools that are left out.
const MAX_REASONS: usize = 5;

/// How many characters of an unusable name are shown.
const MAX_SHOWN_CHARS: usize = 60;

/// The tools that a server lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolList {
    pub(crate) tools: Vec<Tool>,
    pub(crate) left_out: LeftOut,
}

/// Lists all tools. Tools beyond the limits and unusable tools are left out and reported.
pub(super) async fn list_tools(
    server: &str,
    channel: &RequestChannel,
    deadline: Instant,
) -> Result<ToolList, RequestFault> {
    let mut collector = ToolCollector::default();
    let mut cursor = None;
    for _ in 0..MAX_PAGES {
        let page = match channel.request(request(cursor.as_deref()), deadline).await {
            Ok(page) => page,
            Err(fault) if has_no_tools(&fault) => return Ok(collector.list),
            Err(fault) => return Err(fault),
        };
        let tools = page.get("tools").and_then(Value::as_array);
        for tool in tools.into_iter().flatten() {
            if !collector.add(server, tool) {
                return Ok(collector.list);
            }
        }
        let next = page.get("nextCursor").and_then(Value::as_str);
        match next.filter(|next| !next.is_empty()) {
            // The server returns the same page for ever.
            Some(next) if cursor.as_deref() == Some(next) => break,
            Some(next) => cursor = Some(next.to_owned()),
            None => return Ok(collector.list),
        }
    }
    collector.leave_out(
        server,
        "the rest: the list of tools does not end".to_owned(),
    );
    Ok(collector.list)
}

/// Returns whether the server has no tools: such a server need not support the request.
fn has_no_tools(fault: &RequestFault) -> bool {
    matches!(&fault.kind, FaultKind::Refused(error) if error.code == ErrorCode::METHOD_NOT_FOUND)
}

#[derive(Default)]
struct ToolCollector {
    list: ToolList,
    names: HashSet<String>,
    bytes: usize,
}

impl ToolCollector {
    /// Adds a tool; `false` if a limit is reached.
    fn add(&mut self, server: &str, raw: &Value) -> bool {
        let tool = match describe::read(raw) {
            Ok(tool) => tool,
            Err(reason) => {
                self.leave_out(server, format!("{}: {reason}", shown_name(raw)));
                return true;
            }
        };
        self.bytes += tool.input_schema.to_string().len();
        self.bytes += tool
            .output_schema
            .as_ref()
            .map_or(0, |it| it.to_string().len());
        if self.list.tools.len() >= MAX_TOOLS || self.bytes > MAX_BYTES {
            self.leave_out(server, "the rest: there are too many tools".to_owned());
            return false;
        }
        if self.names.insert(tool.name.clone()) {
            self.list.tools.push(tool);
        } else {
            let why = format!("{}: another has the same name", shown_name(raw));
            self.leave_out(server, why);
        }
        true
    }

    fn leave_out(&mut self, server: &str, why: String) {
        tracing::warn!(server, why, "a tool is left out");
        let left_out = &mut self.list.left_out;
        left_out.count += 1;
        if left_out.why.len() < MAX_REASONS {
            left_out.why.push(why);
        }
    }
}

/// Returns the name of an unusable tool, shortened.
fn shown_name(raw: &Value) -> String {
    let name = raw.get("name").and_then(Value::as_str).unwrap_or_default();
    let name = name
        .chars()
        .filter(|c| !c.is_control())
        .take(MAX_SHOWN_CHARS);
    format!("`{}`", name.collect::<String>())
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
