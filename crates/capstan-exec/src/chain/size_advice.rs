//! Advice for a read that is too large even in a request of its own.

use serde_json::{Value, json};

use capstan_core::ResultError;
use capstan_core::card::Card;

/// The rows of a page if the input does not say.
const USUAL_ROWS: u64 = 30;

/// Adds to an error how to make the request smaller, with the call if there is one.
pub(super) fn advise(card: &Card, input: &Value, mut error: ResultError) -> ResultError {
    let pages = card.input_schema.pointer("/properties/first").is_some();
    let rows = input.get("first").and_then(Value::as_u64);
    let rows = rows.unwrap_or(USUAL_ROWS);
    let (advice, mend) = if pages && rows > 1 {
        let fewer = rows / 2;
        let mut input = input.clone();
        if let Value::Object(fields) = &mut input {
            fields.insert("first".to_owned(), fewer.into());
        }
        let call = json!({"capability": card.id.as_str(), "input": input});
        let mend = json!({"tool": "execute", "arguments": call});
        let advice = format!("ask for fewer rows, such as `first: {fewer}`");
        (advice, Some(mend))
    } else {
        let advice = "use a capability, or a card of your own, that asks for fewer fields";
        (advice.to_owned(), None)
    };
    let said = error.message.trim_end_matches('.');
    error.message = format!(
        "{said}: {} asks for more than {} gives in one request; {advice}",
        card.id,
        card.provider()
    );
    match mend {
        Some(mend) => error.with_detail("mend", mend),
        None => error,
    }
}
