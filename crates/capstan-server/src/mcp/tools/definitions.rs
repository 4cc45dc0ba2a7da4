//! What a client is told about the tools.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value};

use super::{execute, explain, read, search};
use crate::mcp::options::McpOptions;

/// The names, in the order in which the tools are listed.
pub(in crate::mcp) const NAMES: [&str; 3] = [execute::NAME, explain::NAME, search::NAME];

/// The definitions, always in the same order: prompt caches depend on it.
pub(in crate::mcp) fn definitions(options: McpOptions) -> Vec<Tool> {
    let reads_only = || ToolAnnotations::new().read_only(true);
    let mut execute = define(execute::NAME, execute::DESCRIPTION, execute::schema());
    if options.read_only {
        execute = execute.with_annotations(reads_only());
    }
    let mut tools = vec![
        execute,
        define(explain::NAME, explain::DESCRIPTION, explain::schema())
            .with_annotations(reads_only()),
        define(search::NAME, search::DESCRIPTION, search::schema()).with_annotations(reads_only()),
    ];
    if options.split {
        let read = define(read::NAME, read::DESCRIPTION, read::schema());
        tools.insert(0, read.with_annotations(reads_only()));
    }
    tools
}

fn define(name: &'static str, description: &'static str, schema: Value) -> Tool {
    let schema = match schema {
        Value::Object(schema) => schema,
        _ => Map::new(),
    };
    Tool::new(name, description, Arc::new(schema))
}
