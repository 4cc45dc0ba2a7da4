//! Reads the fields of an input that fits its schema.

use serde_json::{Map, Value};

use capstan_core::code::{DisplayName, Visibility};
use capstan_core::{ErrorCode, ResultError};

pub(super) fn text<'a>(input: &'a Map<String, Value>, field: &str) -> Option<&'a str> {
    input.get(field).and_then(Value::as_str)
}

pub(super) fn owned(input: &Map<String, Value>, field: &str) -> Option<String> {
    text(input, field).map(str::to_owned)
}

pub(super) fn number(input: &Map<String, Value>, field: &str) -> Option<u64> {
    input.get(field).and_then(Value::as_u64)
}

pub(super) fn flag(input: &Map<String, Value>, field: &str) -> Option<bool> {
    input.get(field).and_then(Value::as_bool)
}

pub(super) fn visibility(input: &Map<String, Value>) -> Option<Visibility> {
    text(input, "visibility").and_then(|text| text.parse().ok())
}

/// A name that may be given.
pub(super) fn name(input: &Map<String, Value>, field: &str) -> Result<DisplayName, ResultError> {
    let text = text(input, field).unwrap_or_default();
    DisplayName::parse(text)
        .map_err(|invalid| ResultError::new(ErrorCode::Validation, invalid.to_string()))
}
