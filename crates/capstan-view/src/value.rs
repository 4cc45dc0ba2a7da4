//! Formats values in one line.

use std::borrow::Cow;

use capstan_core::date;
use serde_json::{Map, Value};

use crate::clean::{clean, single_line};
use crate::counts;

/// Texts with more characters than this are shown below the other fields.
const MAX_INLINE_LENGTH: usize = 200;

/// Shown for a requested field without a value.
pub(crate) const NONE: &str = "none";

/// Returns whether a value is null or empty. Zero and `false` are not.
pub(crate) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(_) | Value::Number(_) => false,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}

pub(crate) fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Array(_) | Value::Object(_))
}

/// Returns whether a text is too long for a line, or has several lines.
pub(crate) fn is_long(text: &str) -> bool {
    text.contains(['\n', '\r']) || text.chars().nth(MAX_INLINE_LENGTH).is_some()
}

/// Returns a scalar as text; null is empty. Returns `None` for lists and objects.
pub(crate) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::Bool(true) => Some("yes".to_owned()),
        Value::Bool(false) => Some("no".to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(date::minutes(text).unwrap_or_else(|| single_line(text))),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// How many characters of a commit hash are shown by default.
const SHORT_HASH: usize = 10;

/// Shortens a commit hash: its prefix identifies the commit for a quarter of the tokens.
pub(crate) fn with_short_hash(value: &Value, is_requested: bool) -> Cow<'_, Value> {
    match value {
        Value::String(text) if !is_requested && is_hash(text) => {
            Cow::Owned(text[..SHORT_HASH].into())
        }
        value => Cow::Borrowed(value),
    }
}

fn is_hash(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Joins a list of scalars. Returns `None` for other lists.
pub(crate) fn joined(items: &[Value]) -> Option<String> {
    let has_lines = |item: &Value| item.as_str().is_some_and(|text| text.contains('\n'));
    if items.iter().any(|item| item.is_null() || has_lines(item)) {
        return None;
    }
    let texts: Vec<_> = items.iter().map(scalar).collect::<Option<_>>()?;
    // A name with a comma would look like two names.
    let has_commas = texts.iter().any(|text| text.contains(','));
    Some(texts.join(if has_commas { "; " } else { ", " }))
}

/// Returns a value in one line. Nested values become compact JSON.
pub(crate) fn inline(value: &Value) -> String {
    let text = match value {
        Value::Array(items) => joined(items),
        Value::Object(fields) => counts::inline(fields).or_else(|| pairs(fields)),
        other => scalar(other),
    };
    text.unwrap_or_else(|| compact(value))
}

/// Returns `a 1, b 2` for an object of short scalars.
fn pairs(fields: &Map<String, Value>) -> Option<String> {
    let mut pairs = Vec::with_capacity(fields.len());
    for (name, value) in fields {
        if value.as_str().is_some_and(is_long) {
            return None;
        }
        let text = scalar(value)?;
        if !is_empty(value) {
            pairs.push(format!("{} {text}", single_line(name)));
        }
    }
    Some(pairs.join(", "))
}

pub(crate) fn compact(value: &Value) -> String {
    clean(&value.to_string())
}
