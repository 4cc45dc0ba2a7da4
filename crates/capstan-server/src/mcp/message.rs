//! Parses one line of input: a message, or the reply to a line that is not a message.

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequest, CallToolRequestMethod, ClientJsonRpcMessage, ClientRequest, ConstString as _,
    JsonRpcMessage, JsonRpcRequest, RequestId, ServerJsonRpcMessage,
};
use serde::Deserialize as _;
use serde_json::Value;

use capstan_core::json::Read;

/// What a line of input contains.
#[derive(Debug)]
pub(super) enum IncomingLine {
    Message(Box<ClientJsonRpcMessage>),
    /// Not a message. This error is sent back.
    Rejected(Box<ServerJsonRpcMessage>),
    /// A blank line, or a malformed notification or response, which must not be replied to.
    Ignored,
}

/// Parses a line without its line end. A byte order mark is skipped.
pub(super) fn parse_line(bytes: &[u8]) -> IncomingLine {
    let line = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if line.trim_ascii().is_empty() {
        return IncomingLine::Ignored;
    }
    // Parsed before the library does it, because the library accepts duplicate keys and keeps the last.
    let Read { value, duplicate } = match serde_json::from_slice::<Read>(line) {
        Ok(read) => read,
        // The message gives the column and not the text, which may contain a secret.
        Err(error) => {
            let message = format!("this line is not JSON (column {})", error.column());
            return rejected(ErrorData::parse_error(message, None), None);
        }
    };
    let message = tool_call(&value).map_or_else(|| ClientJsonRpcMessage::deserialize(&value), Ok);
    match (message, duplicate) {
        (Ok(message), None) => IncomingLine::Message(Box::new(message)),
        (Ok(JsonRpcMessage::Request(request)), Some(duplicate)) => rejected(
            ErrorData::invalid_params(duplicate.to_string(), None),
            Some(request.id),
        ),
        // Notifications and responses get no reply.
        (Ok(_), Some(_)) => IncomingLine::Ignored,
        (Err(_), _) => not_a_message(&value),
    }
}

/// Parses the most frequent message directly. The library tries one type of message after the other
/// and copies the message for that.
fn tool_call(value: &Value) -> Option<ClientJsonRpcMessage> {
    let is_tool_call = value.get("method")? == CallToolRequestMethod::VALUE;
    let is_response = value.get("result").is_some() || value.get("error").is_some();
    if !is_tool_call || is_response {
        return None;
    }
    let JsonRpcRequest {
        jsonrpc,
        id,
        request,
    } = JsonRpcRequest::<CallToolRequest>::deserialize(value).ok()?;
    Some(JsonRpcMessage::Request(JsonRpcRequest {
        jsonrpc,
        id,
        request: ClientRequest::CallToolRequest(request),
    }))
}

/// Returns the reply to a line that is longer than `max_bytes`.
pub(super) fn too_long(max_bytes: usize) -> ServerJsonRpcMessage {
    let message = format!("the line is too long: send at most {max_bytes} bytes");
    ServerJsonRpcMessage::error(ErrorData::invalid_request(message, None), None)
}

/// Returns the reply to a request whose id belongs to a request that has no response yet.
pub(super) fn id_in_use(id: &RequestId) -> ServerJsonRpcMessage {
    let error = ErrorData::invalid_request(
        "another request with this id is still open: choose a new id",
        None,
    );
    ServerJsonRpcMessage::error(error, Some(id.clone()))
}

fn not_a_message(value: &Value) -> IncomingLine {
    let Value::Object(fields) = value else {
        let message = match value {
            Value::Array(_) => "batches are not supported: send one message per line",
            _ => "a message must be a JSON object",
        };
        return rejected(ErrorData::invalid_request(message, None), None);
    };
    let is_response = fields.contains_key("result") || fields.contains_key("error");
    let is_notification = fields.contains_key("method") && !fields.contains_key("id");
    if is_response || is_notification {
        return IncomingLine::Ignored;
    }
    let id = fields
        .get("id")
        .and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
    rejected(
        ErrorData::invalid_request(
            "not a JSON-RPC 2.0 request: expected jsonrpc \"2.0\", id (text or whole number) and method",
            None,
        ),
        id,
    )
}

fn rejected(error: ErrorData, id: Option<RequestId>) -> IncomingLine {
    IncomingLine::Rejected(Box::new(ServerJsonRpcMessage::error(error, id)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What is parsed directly is what the library would have parsed, and nothing else is accepted.
    #[test]
    fn tool_calls_are_parsed_as_the_library_parses_them() {
        let messages = [
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "execute"}}),
            json!({"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {
                "name": "execute", "arguments": {"lines": ["issue.view 1"], "n": 1.5},
                "_meta": {"progressToken": 3, "x": [null]}}, "more": true}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call"}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 1}}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x", "arguments": 1}}),
            json!({"jsonrpc": "1.0", "id": 1, "method": "tools/call", "params": {"name": "x"}}),
            json!({"jsonrpc": "2.0", "id": null, "method": "tools/call", "params": {"name": "x"}}),
            json!({"jsonrpc": "2.0", "id": 1.5, "method": "tools/call", "params": {"name": "x"}}),
            json!({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "x"}}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x"}, "result": {}}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x"}, "error": null}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
            json!({"id": 1, "method": "tools/call", "params": {"name": "x"}}),
            json!(["tools/call"]),
        ];
        let mut direct = 0;
        for message in &messages {
            if let Some(parsed) = tool_call(message) {
                // The library's messages cannot be compared, but their debug form shows every field.
                let expected = ClientJsonRpcMessage::deserialize(message).unwrap();
                assert_eq!(format!("{parsed:?}"), format!("{expected:?}"), "{message}");
                direct += 1;
            }
        }
        assert_eq!(direct, 2);
    }
}
