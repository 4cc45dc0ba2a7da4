//! `read`: runs lines that only read. It is a separate tool so that a client can allow it without asking the user.

use serde_json::{Value, json};

use capstan_core::card::Card;
use capstan_core::{ErrorCode, ResultError};

use super::execute::RejectedCall;

pub(in crate::mcp) const NAME: &str = "read";
pub(in crate::mcp) const DESCRIPTION: &str = "Run lines that only read, e.g. [\"issue.view 47\"].";

pub(in crate::mcp) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"lines": {"type": "array", "items": {"type": "string"}}},
        "required": ["lines"]
    })
}

/// Rejects a call with a line that writes.
pub(in crate::mcp) fn reject_write(card: &Card) -> RejectedCall {
    let message = format!(
        "nothing was run: {} is a write, and `read` runs only reads; send it with `execute`",
        card.id
    );
    reject(&message)
}

/// Rejects a call with anything other than lines.
pub(in crate::mcp) fn reject_other_call() -> RejectedCall {
    reject("`read` accepts only `lines`: send everything else with `execute`")
}

fn reject(message: &str) -> RejectedCall {
    RejectedCall {
        capability: String::new(),
        error: ResultError::new(ErrorCode::Policy, message),
    }
}
