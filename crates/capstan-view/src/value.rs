//! Values in one line.

use std::borrow::Cow;

use capstan_core::date;
use serde_json::{Map, Value};

use crate::clean::{clean, flat};
use crate::counts;

/// Texts longer than this stand below the other fields.
const LONGEST_IN_LINE: usize = 200;

/// What is shown for a field that was asked for and has no value.
pub(crate) const NONE: &str = "none";

/// Whether a value has nothing to say. Zero and `false` do.
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

/// Whether a text is too long for a line, or has lines of its own.
pub(crate) fn is_long(text: &str) -> bool {
    text.contains(['\n', '\r']) || text.chars().nth(LONGEST_IN_LINE).is_some()
}

/// A value that has no parts. Null is empty.
pub(crate) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::Bool(true) => Some("yes".to_owned()),
        Value::Bool(false) => Some("no".to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(date::minutes(text).unwrap_or_else(|| flat(text))),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// How much of a commit's hash is shown where nobody asked for it.
const SHORT_HASH: usize = 10;

/// A value with less of a commit's hash: the beginning names the commit as well, for a quarter of the tokens.
pub(crate) fn with_short_hash(value: &Value, is_asked: bool) -> Cow<'_, Value> {
    match value {
        Value::String(text) if !is_asked && is_hash(text) => Cow::Owned(text[..SHORT_HASH].into()),
        value => Cow::Borrowed(value),
    }
}

fn is_hash(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A list of scalars. Nothing if a list is more than that.
pub(crate) fn joined(items: &[Value]) -> Option<String> {
    let has_lines = |item: &Value| item.as_str().is_some_and(|text| text.contains('\n'));
    if items.iter().any(|item| item.is_null() || has_lines(item)) {
        return None;
    }
    let texts: Vec<_> = items.iter().map(scalar).collect::<Option<_>>()?;
    // A name with a comma in it would look like two.
    let has_commas = texts.iter().any(|text| text.contains(','));
    Some(texts.join(if has_commas { "; " } else { ", " }))
}

/// A value in one line. What has too many parts for one is compact JSON.
pub(crate) fn inline(value: &Value) -> String {
    let text = match value {
        Value::Array(items) => joined(items),
        Value::Object(fields) => counts::inline(fields).or_else(|| pairs(fields)),
        other => scalar(other),
    };
    text.unwrap_or_else(|| compact(value))
}

/// `a 1, b 2` for an object of short scalars.
fn pairs(fields: &Map<String, Value>) -> Option<String> {
    let mut pairs = Vec::with_capacity(fields.len());
    for (name, value) in fields {
        if value.as_str().is_some_and(is_long) {
            return None;
        }
        let text = scalar(value)?;
        if !is_empty(value) {
            pairs.push(format!("{} {text}", flat(name)));
        }
    }
    Some(pairs.join(", "))
}

pub(crate) fn compact(value: &Value) -> String {
    clean(&value.to_string())
}
