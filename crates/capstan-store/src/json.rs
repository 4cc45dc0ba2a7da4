//! JSON as text in columns.

use serde::Serialize;
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde_json::Value;

use crate::fault::{Fault, Outcome};

/// What is nested more deeply could be written, but not read again.
const DEEPEST: usize = 120;

pub(crate) fn write<T: Serialize>(value: &T) -> Outcome<String> {
    serde_json::to_string(value)
        .map_err(|error| Fault::refused(format!("this cannot be kept as JSON: {error}")))
}

pub(crate) fn read<T: DeserializeOwned>(text: &str, what: &str) -> Outcome<T> {
    serde_json::from_str(text).map_err(|error| Fault::Damaged(format!("{what}: {error}")))
}

/// A value by which nothing else would be lost if it were left out.
pub(crate) fn write_if_shallow(value: &Value) -> Outcome<Option<String>> {
    match value {
        Value::Null => Ok(None),
        value if is_shallow(value) => write(value).map(Some),
        _ => write(&"(nested too deeply to be kept)").map(Some),
    }
}

/// A value that is needed whole.
pub(crate) fn write_shallow(value: &Value, what: &str) -> Outcome<String> {
    if is_shallow(value) {
        write(value)
    } else {
        Err(Fault::refused(format!(
            "{what} are nested more than {DEEPEST} levels deep"
        )))
    }
}

/// Whether it could be read again.
pub(crate) fn is_shallow(value: &Value) -> bool {
    fn within(value: &Value, left: usize) -> bool {
        match (value, left) {
            (Value::Array(_) | Value::Object(_), 0) => false,
            (Value::Array(items), _) => items.iter().all(|item| within(item, left - 1)),
            (Value::Object(fields), _) => fields.values().all(|field| within(field, left - 1)),
            _ => true,
        }
    }
    within(value, DEEPEST)
}

/// The word for one of several alternatives.
pub(crate) fn word<T: Serialize>(value: &T) -> Outcome<String> {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => Ok(word),
        other => Err(Fault::Damaged(format!("no word for it: {other:?}"))),
    }
}

pub(crate) fn from_word<T: DeserializeOwned>(word: &str) -> Outcome<T> {
    let words: StrDeserializer<'_, serde_json::Error> = word.into_deserializer();
    T::deserialize(words).map_err(|error| Fault::Damaged(error.to_string()))
}
