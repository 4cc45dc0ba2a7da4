//! Represents a downstream tool as a card.

use serde_json::{Map, Value};

use capstan_core::card::{CallRoute, Card};
use capstan_core::port::Tool;
use capstan_core::{CapabilityId, Route};

/// Returns the card of a tool of a server.
pub(crate) fn tool_card(server: &str, tool: &Tool) -> Card {
    let id = tool_id(server, tool);
    let call = CallRoute {
        route: Route::Mcp,
        target: id.clone(),
    };
    Card {
        description: tool.description.clone(),
        input_schema: tool.input_schema.clone(),
        output_schema: tool
            .output_schema
            .clone()
            .unwrap_or_else(|| Value::Object(Map::new())),
        ..Card::of_call(CapabilityId::given(id), call, tool.operation)
    }
}

/// Returns the name by which a tool of a server is called.
pub(crate) fn tool_id(server: &str, tool: &Tool) -> String {
    format!("{server}.{}", tool.name)
}

/// Splits the name of a tool into server and tool: `files.read` is the tool `read` of the server `files`.
pub(crate) fn split_tool_name(name: &str) -> Option<(&str, &str)> {
    name.split_once('.')
}
