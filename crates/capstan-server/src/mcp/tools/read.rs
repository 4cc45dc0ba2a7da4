//! `read`: lines that change nothing, as a tool of its own, so that a client can let it pass without asking.

use serde_json::{Value, json};

use capstan_core::card::Card;
use capstan_core::{ErrorCode, ResultError};

use super::execute::Refused;

pub(in crate::mcp) const NAME: &str = "read";
pub(in crate::mcp) const DESCRIPTION: &str = "Run lines that only read, e.g. [\"issue.view 47\"].";

pub(in crate::mcp) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"lines": {"type": "array", "items": {"type": "string"}}},
        "required": ["lines"]
    })
}

/// The answer to a line that changes something.
pub(in crate::mcp) fn refused(card: &Card) -> Refused {
    let message = format!(
        "nothing was run: {} changes things, and `read` does not; send it with `execute`",
        card.id
    );
    refusal(&message)
}

/// The answer to a call with anything but lines.
pub(in crate::mcp) fn only_lines() -> Refused {
    refusal("`read` takes `lines` alone: send everything else with `execute`")
}

fn refusal(message: &str) -> Refused {
    Refused {
        capability: String::new(),
        error: ResultError::new(ErrorCode::Policy, message),
    }
}
