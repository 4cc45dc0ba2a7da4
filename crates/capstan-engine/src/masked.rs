//! Values as they may be kept: without secrets.

use serde_json::Value;

use capstan_core::Redactor;
use capstan_core::code::kept::MASK;

/// Fields whose values are nobody's business, whatever they look like.
const SECRET_FIELDS: [&str; 8] = [
    "password",
    "passwd",
    "secret",
    "token",
    "apikey",
    "authorization",
    "cookie",
    "credential",
];

/// Without what has the value, the shape or the name of a secret.
pub(crate) fn masked(redactor: &Redactor, value: &Value) -> Value {
    let mut value = value.clone();
    redactor.value(&mut value);
    mask_by_name(&mut value);
    value
}

/// Whether a value may be kept as it is.
pub(crate) fn has_no_secrets(redactor: &Redactor, value: &Value) -> bool {
    masked(redactor, value) == *value
}

/// Whether something in a value that was kept was a secret.
pub(crate) fn is_masked(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(MASK),
        Value::Array(items) => items.iter().any(is_masked),
        Value::Object(fields) => fields
            .iter()
            .any(|(name, field)| name.contains(MASK) || is_masked(field)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn mask_by_name(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(mask_by_name),
        Value::Object(fields) => {
            for (name, field) in fields {
                let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
                let plain = plain.to_lowercase();
                match SECRET_FIELDS.iter().any(|secret| plain.contains(secret)) {
                    true if !field.is_null() => *field = MASK.into(),
                    _ => mask_by_name(field),
                }
            }
        }
        _ => {}
    }
}
