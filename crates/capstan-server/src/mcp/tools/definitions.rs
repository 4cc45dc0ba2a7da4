//! The definitions of the tools, as clients list them.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value};

use super::{execute, explain, read, search};
use crate::mcp::options::McpOptions;

/// The names of the tools that are always offered, in the order in which they are listed.
pub(in crate::mcp) const NAMES: [&str; 3] = [execute::NAME, explain::NAME, search::NAME];

/// Returns the definitions. Their order never changes, because prompt caches depend on it.
pub(in crate::mcp) fn definitions(options: McpOptions) -> Vec<Tool> {
    let read_only = || ToolAnnotations::new().read_only(true);
    let mut execute = define(execute::NAME, execute::DESCRIPTION, execute::schema());
    if options.read_only {
        execute = execute.with_annotations(read_only());
    }
    let mut tools = vec![
        execute,
        define(explain::NAME, explain::DESCRIPTION, explain::schema())
            .with_annotations(read_only()),
        define(search::NAME, search::DESCRIPTION, search::schema()).with_annotations(read_only()),
    ];
    if options.split {
        let read = define(read::NAME, read::DESCRIPTION, read::schema());
        tools.insert(0, read.with_annotations(read_only()));
    }
    tools
}

fn define(name: &'static str, description: &'static str, schema: Value) -> Tool {
    let input_schema = match schema {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    Tool::new(name, description, Arc::new(input_schema))
}
