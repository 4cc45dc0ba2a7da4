//! Execution errors in GitHub's format: `type`, `path`, `locations`, `message`.

use super::interference::Interference;
use super::value::ResolveError;
use apollo_compiler::response::GraphQLError;
use serde_json::{Map, Value, json};

/// Encodes an error as text, the only form the engine carries: the type, a separator, the message.
pub(super) fn encode(error: &ResolveError) -> String {
    format!("{}{SEPARATOR}{}", error.kind, error.message)
}

/// Converts an error of the engine to GitHub's format.
pub(super) fn render(error: &GraphQLError, interference: &Interference) -> Value {
    let text = error
        .message
        .strip_prefix("resolver error: ")
        .unwrap_or(&error.message);
    let mut rendered = Map::new();
    let message = match text.split_once(SEPARATOR) {
        Some((kind, message)) => {
            if let Some(injected) = interference.render_injected(kind, message, error) {
                return injected;
            }
            rendered.insert("type".to_owned(), Value::from(kind));
            message
        }
        None => text,
    };
    if !error.path.is_empty() {
        rendered.insert("path".to_owned(), json!(error.path));
    }
    rendered.insert("locations".to_owned(), json!(error.locations));
    rendered.insert("message".to_owned(), Value::from(message));
    Value::Object(rendered)
}

/// Separates type and message; no message contains it.
const SEPARATOR: char = '\u{1f}';
