//! Values as they may be kept: without secrets.

use serde_json::Value;

use capstan_core::Redactor;

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

fn mask_by_name(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(mask_by_name),
        Value::Object(fields) => {
            for (name, field) in fields {
                let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
                let plain = plain.to_lowercase();
                match SECRET_FIELDS.iter().any(|secret| plain.contains(secret)) {
                    true if !field.is_null() => *field = "[redacted]".into(),
                    _ => mask_by_name(field),
                }
            }
        }
        _ => {}
    }
}
