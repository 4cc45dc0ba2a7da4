//! A downstream tool as a card.

use serde_json::{Map, Value};

use capstan_core::card::{CallRoute, Card};
use capstan_core::port::Tool;
use capstan_core::{CapabilityId, Route};

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

/// What a tool of a server is called.
pub(crate) fn tool_id(server: &str, tool: &Tool) -> String {
    format!("{server}.{}", tool.name)
}

/// The server and the tool of a name: `files.read` is `read` of `files`.
pub(crate) fn server_of(name: &str) -> Option<(&str, &str)> {
    name.split_once('.')
}
