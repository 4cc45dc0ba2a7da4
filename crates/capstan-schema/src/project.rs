//! Projects values onto the properties that a schema names.

use serde_json::Value;

use crate::named_properties::NamedProperties;
use crate::schema::Schema;

/// Reduces a value to the properties that a schema names, recursively.
///
/// An object loses the properties that no schema for it names, if any schema for it has `properties` and none
/// describes the others (`additionalProperties: {…}`, `patternProperties`). All alternatives count, even
/// those that the value does not match.
///
/// The law: if `assignable_projected(a, b)`, then for every value `v` that matches `a`, `project(v, a)`
/// matches `b`.
pub fn project(value: &Value, schema: Schema<'_>) -> Value {
    if is_scalar(value) {
        return value.clone();
    }
    reduced(value, &NamedProperties::from_schemas([schema]))
}

/// Like [`project`], for a value that several schemas describe. The recursion is as deep as the value.
pub(crate) fn reduced(value: &Value, naming: &NamedProperties<'_>) -> Value {
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
                let part = if is_scalar(part) {
                    part.clone()
                } else {
                    reduced(part, &naming.of_property(name))
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
