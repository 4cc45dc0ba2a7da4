//! Values reduced to what a schema names.

use serde_json::Value;

use crate::naming::Naming;
use crate::schema::Schema;

/// Reduces a value to the properties that a schema names, and these likewise.
///
/// An object loses the properties that no schema for it names, if any schema for it has `properties`
/// and none gives a schema for the others (`additionalProperties: {…}`, `patternProperties`). All
/// alternatives count, also those that the value does not pass.
///
/// The law: if `assignable_projected(a, b)`, then for every value `v` that passes `a`,
/// `project(v, a)` passes `b`.
pub fn project(value: &Value, schema: Schema<'_>) -> Value {
    if is_scalar(value) {
        return value.clone();
    }
    reduced(value, &Naming::of([schema]))
}

/// Like [`project`], for a value of which several schemas speak. It is as deep as the value is.
pub(crate) fn reduced(value: &Value, naming: &Naming<'_>) -> Value {
    match value {
        _ if naming.is_empty() => value.clone(),
        Value::Array(items) => {
            let first = naming.first_elements();
            let rest = (items.len() > first).then(|| naming.of_element(first));
            let each = items.iter().enumerate().map(|(index, item)| match &rest {
                _ if is_scalar(item) => item.clone(),
                Some(rest) if index >= first => reduced(item, rest),
                _ => reduced(item, &naming.of_element(index)),
            });
            Value::Array(each.collect())
        }
        Value::Object(object) => {
            let kept = object.iter().filter(|(name, _)| naming.keeps(name));
            let each = kept.map(|(name, part)| {
                let part = match is_scalar(part) {
                    true => part.clone(),
                    false => reduced(part, &naming.of_property(name)),
                };
                (name.clone(), part)
            });
            Value::Object(each.collect())
        }
        scalar => scalar.clone(),
    }
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Array(_) | Value::Object(_))
}
