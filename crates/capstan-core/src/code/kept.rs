//! Values as traces store them: placeholders for secrets and for values that are too long.

use serde_json::{Map, Value, json};

pub use crate::redact::MASK;

const CUT: &str = "cut";
const USED: &str = "used";
const BYTES: &str = " bytes";
const LONG_ENOUGH: &str = "the trace is long enough";

/// Returns the placeholder for a value of this size as JSON, in bytes.
pub fn cut(size: usize) -> Value {
    json!({CUT: format!("{size}{BYTES}")})
}

/// Returns the placeholder for a value that came after the trace was long enough.
pub fn cut_as_enough() -> Value {
    json!({CUT: LONG_ENOUGH})
}

/// Returns whether a value is such a placeholder.
pub fn is_cut(value: &Value) -> bool {
    let Some(fields) = value.as_object() else {
        return false;
    };
    let told = fields.get(CUT).and_then(Value::as_str);
    told.is_some_and(|told| told == LONG_ENOUGH || told.ends_with(BYTES))
        && fields.keys().all(|name| name == CUT || name == USED)
}

/// Adds to a placeholder a part of the value that another call used, by its JSON pointer.
pub fn add_used(cut: &mut Value, pointer: &str, part: Value) {
    if let Some(fields) = cut.as_object_mut() {
        let used = fields
            .entry(USED)
            .or_insert_with(|| Value::Object(Map::new()));
        if let Some(used) = used.as_object_mut() {
            used.insert(pointer.to_owned(), part);
        }
    }
}

/// Returns the parts that other calls used, by their JSON pointers.
pub fn used_parts(value: &Value) -> Option<&Map<String, Value>> {
    is_cut(value)
        .then(|| value.get(USED)?.as_object())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_a_value_is_told_from_one() {
        let mut long = cut(5000);
        assert!(is_cut(&long) && is_cut(&cut_as_enough()));
        assert_eq!(used_parts(&long), None);
        add_used(&mut long, "/issues/0/number", 7.into());
        assert!(is_cut(&long));
        assert_eq!(used_parts(&long).map(Map::len), Some(1));
        for value in [
            json!({"cut": "of a diamond"}),
            json!({"cut": "5 bytes", "more": 1}),
            json!(1),
        ] {
            assert!(!is_cut(&value), "{value}");
        }
    }
}
