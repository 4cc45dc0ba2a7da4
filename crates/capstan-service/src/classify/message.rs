//! The text of an error: that of the service where it gives one, or ours.

use capstan_core::expr::{Expr, Scope};
use http::StatusCode;
use serde_json::{Map, Value};
use url::Url;

/// The longest message, in characters. Longer ones cost tokens and say no more, so they are truncated.
const MAX_CHARACTERS: usize = 600;

/// Where services usually put the text of an error.
const USUAL_PLACES: [&str; 9] = [
    "/message",
    "/error/message",
    "/error_description",
    "/detail",
    "/title",
    "/errors/0/message",
    "/errors/0/detail",
    "/errors/0",
    "/error",
];

/// Returns the text of an error in an answer.
pub(super) fn from_body(place: Option<&Expr>, body: &Value) -> Option<String> {
    let configured = place.and_then(|place| text_at(place, body));
    configured.or_else(|| {
        let mut usual = USUAL_PLACES.iter();
        usual.find_map(|place| shown(body.pointer(place)?))
    })
}

/// Returns the text at a configured place.
pub(super) fn text_at(place: &Expr, body: &Value) -> Option<String> {
    let none = Map::new();
    let found = place.eval(&Scope::new(body, &none))?;
    shown(&found)
}

/// Returns a value as text; `None` if it says nothing. Objects and lists are shown as JSON: GitLab's `message` may be
/// one of them.
fn shown(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) => return None,
        other => other.to_string(),
    };
    let text = tidy(&text);
    (!text.is_empty()).then_some(text)
}

pub(super) fn for_status(service: &str, status: StatusCode) -> String {
    match status.canonical_reason() {
        Some(reason) => format!("{service} answered HTTP {} ({reason})", status.as_u16()),
        None => format!("{service} answered HTTP {}", status.as_u16()),
    }
}

/// Returns an address without the parts that may be secret: login, query and fragment.
pub(super) fn without_secrets(address: &str) -> String {
    match Url::parse(address) {
        Ok(url) if url.has_host() => {
            format!("{}{}", url.origin().ascii_serialization(), url.path())
        }
        Ok(_) | Err(_) => {
            let path = address.split(['?', '#']).next();
            path.unwrap_or_default().to_owned()
        }
    }
}

pub(super) fn tidy(message: &str) -> String {
    let mut tidy = message.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = tidy.char_indices().nth(MAX_CHARACTERS) {
        tidy.truncate(end);
        tidy.push('…');
    }
    tidy
}
