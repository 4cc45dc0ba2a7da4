//! Secret inputs: those whose schema says `writeOnly: true`. They are sent, and never shown or kept.

use std::borrow::Cow;

use serde_json::Value;

use super::resolve_reference;
use crate::MASK;

/// How many parts of schemas are compared with one input. A schema can refer to itself in ways that never end; what is
/// left of the input is then masked.
const MOST_PARTS: usize = 10_000;

/// How many parts of schemas may lie inside each other. Deeper ones count as secret, so that the stack has an end.
const MOST_LEVELS: usize = 256;

/// Returns an input with a mask in place of every secret.
pub fn without_secrets<'a>(schema: &Value, input: &'a Value) -> Cow<'a, Value> {
    let mut search = Walk::new(schema);
    if !search.finds_secrets(schema, input) {
        return Cow::Borrowed(input);
    }
    let mut copy = input.clone();
    Walk::new(schema).mask(schema, &mut copy);
    Cow::Owned(copy)
}

/// Returns whether a schema describes a secret.
pub fn is_secret(schema: &Value) -> bool {
    schema.get("writeOnly").and_then(Value::as_bool) == Some(true)
}

/// A walk through a value and its schema together.
struct Walk<'s> {
    /// The whole schema, for references.
    root: &'s Value,
    parts_left: usize,
    levels_left: usize,
}

impl<'s> Walk<'s> {
    fn new(root: &'s Value) -> Self {
        Self {
            root,
            parts_left: MOST_PARTS,
            levels_left: MOST_LEVELS,
        }
    }

    /// Enters the schema at the end of all references, for a call of `leave`. Returns `None`, without having entered, if
    /// the value there is to be masked.
    fn enter(&mut self, schema: &'s Value) -> Option<&'s Value> {
        self.parts_left = self.parts_left.checked_sub(1)?;
        let schema = resolve_reference(schema, self.root);
        if is_secret(schema) {
            return None;
        }
        self.levels_left = self.levels_left.checked_sub(1)?;
        Some(schema)
    }

    fn leave(&mut self) {
        self.levels_left += 1;
    }

    fn finds_secrets(&mut self, schema: &'s Value, value: &Value) -> bool {
        if value.is_null() {
            return false;
        }
        let Some(schema) = self.enter(schema) else {
            return true;
        };
        let found = self.finds_secrets_inside(schema, value);
        self.leave();
        found
    }

    fn finds_secrets_inside(&mut self, schema: &'s Value, value: &Value) -> bool {
        if alternatives(schema).any(|part| self.finds_secrets(part, value)) {
            return true;
        }
        match value {
            Value::Object(fields) => fields.iter().any(|(name, field)| {
                field_schema(schema, name).is_some_and(|it| self.finds_secrets(it, field))
            }),
            Value::Array(items) => schema
                .get("items")
                .is_some_and(|schema| items.iter().any(|item| self.finds_secrets(schema, item))),
            _ => false,
        }
    }

    fn mask(&mut self, schema: &'s Value, value: &mut Value) {
        if value.is_null() {
            return;
        }
        let Some(schema) = self.enter(schema) else {
            *value = MASK.into();
            return;
        };
        self.mask_inside(schema, value);
        self.leave();
    }

    fn mask_inside(&mut self, schema: &'s Value, value: &mut Value) {
        for part in alternatives(schema) {
            self.mask(part, value);
        }
        match value {
            Value::Object(fields) => {
                for (name, field) in fields {
                    if let Some(schema) = field_schema(schema, name) {
                        self.mask(schema, field);
                    }
                }
            }
            Value::Array(items) => {
                if let Some(schema) = schema.get("items") {
                    for item in items {
                        self.mask(schema, item);
                    }
                }
            }
            _ => {}
        }
    }
}

fn field_schema<'s>(schema: &'s Value, name: &str) -> Option<&'s Value> {
    let named = schema.get("properties").and_then(|it| it.get(name));
    named.or_else(|| {
        schema
            .get("additionalProperties")
            .filter(|schema| schema.is_object())
    })
}

/// Returns the schemas of which one or all apply to the same value.
fn alternatives(schema: &Value) -> impl Iterator<Item = &Value> {
    let groups = ["anyOf", "oneOf", "allOf"].into_iter();
    groups
        .filter_map(|name| schema.get(name)?.as_array())
        .flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_are_masked_wherever_the_schema_has_them() {
        let secret = json!({"type": "string", "writeOnly": true});
        let schema = json!({
            "type": "object",
            "$defs": {"login": {"type": "object", "properties": {"password": secret}}},
            "properties": {
                "value": secret,
                "name": {"type": "string"},
                "absent": secret,
                "nothing": secret,
                "rows": {"type": "array", "items": {"properties": {"key": secret}}},
                "by_name": {"type": "object", "additionalProperties": secret},
                "either": {"anyOf": [{"type": "null"}, {"properties": {"pin": secret}}]},
                "login": {"$ref": "#/$defs/login"},
            },
        });
        let input = json!({
            "value": "hunter2",
            "name": "TOKEN",
            "nothing": null,
            "rows": [{"key": "a", "id": 1}, {"id": 2}],
            "by_name": {"x": ["y"]},
            "either": {"pin": 1234, "id": 3},
            "login": {"password": "p", "user": "u"},
            "unknown": "kept",
        });
        let expected = json!({
            "value": MASK,
            "name": "TOKEN",
            "nothing": null,
            "rows": [{"key": MASK, "id": 1}, {"id": 2}],
            "by_name": {"x": MASK},
            "either": {"pin": MASK, "id": 3},
            "login": {"password": MASK, "user": "u"},
            "unknown": "kept",
        });
        assert_eq!(*without_secrets(&schema, &input), expected);
    }

    #[test]
    fn an_input_without_secrets_is_not_copied() {
        let schema = json!({"properties": {"value": {"writeOnly": true}, "name": {}}});
        let input = json!({"name": "x"});
        assert!(matches!(without_secrets(&schema, &input), Cow::Borrowed(_)));
    }

    #[test]
    fn schemas_that_refer_to_themselves_end() {
        let schema = json!({
            "properties": {"next": {"$ref": "#"}, "value": {"writeOnly": true}},
        });
        let input = json!({"next": {"next": {"value": "x"}}});
        let expected = json!({"next": {"next": {"value": MASK}}});
        assert_eq!(*without_secrets(&schema, &input), expected);
        // Nobody can tell what is secret here.
        let endless = json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}]});
        assert_eq!(*without_secrets(&endless, &json!("x")), json!(MASK));
    }
}
