//! Errors during execution, in GitHub's form: `type`, `path`, `locations`, `message`.

use super::answer::Failure;
use super::interference::Interference;
use apollo_compiler::response::GraphQLError;
use serde_json::{Map, Value, json};

/// The engine carries errors as text; the type travels in front of the message.
pub(super) fn encode(failure: &Failure) -> String {
    format!("{}{MARK}{}", failure.kind, failure.message)
}

/// An engine error as GitHub would write it.
pub(super) fn render(error: &GraphQLError, interference: &Interference) -> Value {
    let text = error
        .message
        .strip_prefix("resolver error: ")
        .unwrap_or(&error.message);
    let mut rendered = Map::new();
    let message = match text.split_once(MARK) {
        Some((kind, message)) => {
            if let Some(planted) = interference.rendered(kind, message, error) {
                return planted;
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

/// A character that no message contains.
const MARK: char = '\u{1f}';
