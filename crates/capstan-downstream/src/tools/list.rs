//! Asks a server for all of its tools, page by page, within bounds.

use std::collections::HashSet;
use std::time::Instant;

use capstan_core::port::{LeftOut, Tool};
use rmcp::model::{ClientRequest, ErrorCode, ListToolsRequest, PaginatedRequestParams};
use serde_json::Value;

use super::describe;
use crate::line::{Fault, Kind, Line};

const MOST_TOOLS: usize = 2_000;
const MOST_PAGES: usize = 200;

/// How large all of them together may be.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// Of so many that are left out it is told why.
const MOST_REASONS: usize = 5;

/// How much is shown of a name that cannot be used.
const LONGEST_SHOWN: usize = 60;

/// What a server has said of its tools.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listed {
    pub(crate) tools: Vec<Tool>,
    pub(crate) left_out: LeftOut,
}

/// What is beyond the bounds, and what cannot be used, is left out and told.
pub(super) async fn all(server: &str, line: &Line, deadline: Instant) -> Result<Listed, Fault> {
    let mut found = Found::default();
    let mut cursor = None;
    for _ in 0..MOST_PAGES {
        let page = match line.ask(request(cursor.as_deref()), deadline).await {
            Ok(page) => page,
            Err(fault) if has_none(&fault) => return Ok(found.listed),
            Err(fault) => return Err(fault),
        };
        let tools = page.get("tools").and_then(Value::as_array);
        for tool in tools.into_iter().flatten() {
            if !found.add(server, tool) {
                return Ok(found.listed);
            }
        }
        let next = page.get("nextCursor").and_then(Value::as_str);
        match next.filter(|next| !next.is_empty()) {
            // A server that gives the same page for ever.
            Some(next) if cursor.as_deref() == Some(next) => break,
            Some(next) => cursor = Some(next.to_owned()),
            None => return Ok(found.listed),
        }
    }
    found.leave_out(
        server,
        "the rest: the list of tools does not end".to_owned(),
    );
    Ok(found.listed)
}

/// A server without tools need not know the question.
fn has_none(fault: &Fault) -> bool {
    matches!(&fault.kind, Kind::Refused(error) if error.code == ErrorCode::METHOD_NOT_FOUND)
}

#[derive(Default)]
struct Found {
    listed: Listed,
    names: HashSet<String>,
    bytes: usize,
}

impl Found {
    /// False when there is no room for more.
    fn add(&mut self, server: &str, raw: &Value) -> bool {
        let tool = match describe::read(raw) {
            Ok(tool) => tool,
            Err(why) => {
                self.leave_out(server, format!("{}: {why}", shown(raw)));
                return true;
            }
        };
        self.bytes += tool.input_schema.to_string().len();
        self.bytes += tool
            .output_schema
            .as_ref()
            .map_or(0, |it| it.to_string().len());
        if self.listed.tools.len() >= MOST_TOOLS || self.bytes > MOST_BYTES {
            self.leave_out(server, "the rest: there are too many tools".to_owned());
            return false;
        }
        if self.names.insert(tool.name.clone()) {
            self.listed.tools.push(tool);
        } else {
            let why = format!("{}: another has the same name", shown(raw));
            self.leave_out(server, why);
        }
        true
    }

    fn leave_out(&mut self, server: &str, why: String) {
        tracing::warn!(server, why, "a tool is left out");
        let left_out = &mut self.listed.left_out;
        left_out.count += 1;
        if left_out.why.len() < MOST_REASONS {
            left_out.why.push(why);
        }
    }
}

/// The name of a tool that cannot be used.
fn shown(raw: &Value) -> String {
    let name = raw.get("name").and_then(Value::as_str).unwrap_or_default();
    let name = name.chars().filter(|c| !c.is_control()).take(LONGEST_SHOWN);
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
