//! JSON and enum words as text in columns.

use serde::Serialize;
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde_json::Value;

use crate::fault::{Fault, StoreResult};

/// The deepest nesting that is stored. Deeper values could be written, but not read again.
const MAX_DEPTH: usize = 120;

pub(crate) fn write<T: Serialize>(value: &T) -> StoreResult<String> {
    serde_json::to_string(value)
        .map_err(|error| Fault::refused(format!("this cannot be stored as JSON: {error}")))
}

pub(crate) fn read<T: DeserializeOwned>(text: &str, what: &str) -> StoreResult<T> {
    serde_json::from_str(text).map_err(|error| Fault::Damaged(format!("{what}: {error}")))
}

/// Writes a value that may be left out: a placeholder replaces one that is nested too deeply, and
/// null is not stored.
pub(crate) fn write_or_placeholder(value: &Value) -> StoreResult<Option<String>> {
    match value {
        Value::Null => Ok(None),
        value if is_shallow(value) => write(value).map(Some),
        _ => write(&"(nested too deeply to be kept)").map(Some),
    }
}

/// Writes a value that is needed whole; refuses one that is nested too deeply.
pub(crate) fn write_shallow(value: &Value, what: &str) -> StoreResult<String> {
    if is_shallow(value) {
        write(value)
    } else {
        Err(Fault::refused(format!(
            "{what} are nested more than {MAX_DEPTH} levels deep"
        )))
    }
}

/// Returns whether the value is shallow enough to be read again.
pub(crate) fn is_shallow(value: &Value) -> bool {
    fn fits(value: &Value, left: usize) -> bool {
        match (value, left) {
            (Value::Array(_) | Value::Object(_), 0) => false,
            (Value::Array(items), _) => items.iter().all(|item| fits(item, left - 1)),
            (Value::Object(fields), _) => fields.values().all(|field| fits(field, left - 1)),
            _ => true,
        }
    }
    fits(value, MAX_DEPTH)
}

/// Returns the word by which serde writes a unit variant.
pub(crate) fn to_word<T: Serialize>(value: &T) -> StoreResult<String> {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => Ok(word),
        other => Err(Fault::Damaged(format!("no word for it: {other:?}"))),
    }
}

pub(crate) fn from_word<T: DeserializeOwned>(word: &str) -> StoreResult<T> {
    let deserializer: StrDeserializer<'_, serde_json::Error> = word.into_deserializer();
    T::deserialize(deserializer).map_err(|error| Fault::Damaged(error.to_string()))
}
