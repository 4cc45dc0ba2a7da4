//! One line of input: a message, or what to answer to something that is none.

use rmcp::ErrorData;
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, RequestId, ServerJsonRpcMessage};
use serde::Deserialize as _;
use serde_json::Value;

use capstan_core::json::Read;

#[derive(Debug)]
pub(super) enum Line {
    Message(Box<ClientJsonRpcMessage>),
    /// Not a message: this is sent back.
    Rejected(Box<ServerJsonRpcMessage>),
    /// Blank, or something that must not be answered.
    Ignored,
}

pub(super) fn read(line: &[u8]) -> Line {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    if line.trim_ascii().is_empty() {
        return Line::Ignored;
    }
    // Read before the library does: it would take the last of two values for one key.
    let Read { value, duplicate } = match serde_json::from_slice::<Read>(line) {
        Ok(read) => read,
        // Where it went wrong, never what was there: it may hold a secret.
        Err(error) => {
            let message = format!("this line is not JSON (column {})", error.column());
            return rejected(ErrorData::parse_error(message, None), None);
        }
    };
    match (ClientJsonRpcMessage::deserialize(&value), duplicate) {
        (Ok(message), None) => Line::Message(Box::new(message)),
        (Ok(JsonRpcMessage::Request(request)), Some(twice)) => rejected(
            ErrorData::invalid_params(twice.to_string(), None),
            Some(request.id),
        ),
        // Nobody waits for an answer.
        (Ok(_), Some(_)) => Line::Ignored,
        (Err(_), _) => not_a_message(&value),
    }
}

/// The answer to a line that is longer than `most` bytes.
pub(super) fn too_long(most: usize) -> ServerJsonRpcMessage {
    let message = format!("this line was dropped: it has more than {most} bytes");
    ServerJsonRpcMessage::error(ErrorData::invalid_request(message, None), None)
}

/// The answer to a request whose id belongs to one that is still being worked on.
pub(super) fn id_in_use(id: &RequestId) -> ServerJsonRpcMessage {
    let error = ErrorData::invalid_request("a request with this id is still open", None);
    ServerJsonRpcMessage::error(error, Some(id.clone()))
}

fn not_a_message(value: &Value) -> Line {
    let Value::Object(fields) = value else {
        let message = match value {
            Value::Array(_) => "batches are not supported: send one message per line",
            _ => "a message is a JSON object",
        };
        return rejected(ErrorData::invalid_request(message, None), None);
    };
    let is_answer = fields.contains_key("result") || fields.contains_key("error");
    let is_notification = fields.contains_key("method") && !fields.contains_key("id");
    if is_answer || is_notification {
        return Line::Ignored;
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

fn rejected(error: ErrorData, id: Option<RequestId>) -> Line {
    Line::Rejected(Box::new(ServerJsonRpcMessage::error(error, id)))
}
