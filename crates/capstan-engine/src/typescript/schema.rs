//! Converts JSON Schemas to TypeScript types. Constraints that a type cannot express are dropped, so a type
//! allows at least what the schema allows.

use serde_json::{Map, Value};

/// The maximum nesting depth. Schemas can contain themselves.
const MAX_DEPTH: usize = 12;

/// The maximum number of schemas in one type. Further ones become `unknown`.
const MAX_SCHEMAS: usize = 2000;

/// Writes the type of a schema, in one line.
pub(super) struct TypeWriter<'a> {
    root: &'a Value,
    remaining: usize,
}

impl<'a> TypeWriter<'a> {
    pub(super) fn new(root: &'a Value) -> Self {
        Self {
            root,
            remaining: MAX_SCHEMAS,
        }
    }

    /// Returns the type of the root schema.
    pub(super) fn root_type(&mut self) -> String {
        self.type_of(self.root, 0)
    }

    /// Returns the type of a schema inside the root schema.
    pub(super) fn inner_type(&mut self, schema: &Value) -> String {
        self.type_of(schema, 0)
    }

    fn type_of(&mut self, schema: &Value, depth: usize) -> String {
        let (Some(fields), true) = (schema.as_object(), depth < MAX_DEPTH && self.remaining > 0)
        else {
            return match schema {
                Value::Bool(false) => "never".to_owned(),
                _ => "unknown".to_owned(),
            };
        };
        self.remaining -= 1;
        if let Some(reference) = fields.get("$ref").and_then(Value::as_str) {
            let target = reference.strip_prefix('#').unwrap_or("?");
            return match self.root.pointer(target) {
                Some(target) => self.type_of(target, depth + 1),
                None => "unknown".to_owned(),
            };
        }
        if let Some(value) = fields.get("const") {
            return literal(value);
        }
        if let Some(values) = fields.get("enum").and_then(Value::as_array) {
            return union(values.iter().map(literal));
        }
        // Cases beside `properties` only say which fields are required; they are no types.
        for keyword in ["anyOf", "oneOf"] {
            if let Some(cases) = fields.get(keyword).and_then(Value::as_array)
                && !fields.contains_key("properties")
            {
                return union(cases.iter().map(|case| self.type_of(case, depth + 1)));
            }
        }
        if let Some(parts) = fields.get("allOf").and_then(Value::as_array)
            && !fields.contains_key("properties")
        {
            let parts: Vec<_> = parts
                .iter()
                .map(|part| self.type_of(part, depth + 1))
                .collect();
            return match parts.as_slice() {
                [] => "unknown".to_owned(),
                parts => format!("({})", parts.join(" & ")),
            };
        }
        match fields.get("type") {
            Some(Value::Array(types)) => {
                let types = types.iter().filter_map(Value::as_str);
                union(types.map(|named| self.named(named, fields, depth)))
            }
            Some(Value::String(named)) => self.named(named, fields, depth),
            _ if fields.contains_key("properties") => self.object(fields, depth),
            // The type of code's parameters is inferred from the default, and other types are accepted.
            _ => "unknown".to_owned(),
        }
    }

    fn named(&mut self, named: &str, fields: &Map<String, Value>, depth: usize) -> String {
        match named {
            "string" | "boolean" | "null" => named.to_owned(),
            "number" | "integer" => "number".to_owned(),
            "array" => match fields.get("items") {
                Some(items) => format!("Array<{}>", self.type_of(items, depth + 1)),
                None => "Array<unknown>".to_owned(),
            },
            "object" => self.object(fields, depth),
            _ => "unknown".to_owned(),
        }
    }

    fn object(&mut self, fields: &Map<String, Value>, depth: usize) -> String {
        let required = fields.get("required").and_then(Value::as_array);
        let is_required = |name: &str| {
            required.is_some_and(|required| required.iter().any(|it| it.as_str() == Some(name)))
        };
        let properties = fields.get("properties").and_then(Value::as_object);
        let Some(properties) = properties.filter(|properties| !properties.is_empty()) else {
            return match fields.get("additionalProperties") {
                Some(Value::Bool(false)) => "Record<string, never>".to_owned(),
                Some(more @ Value::Object(_)) => {
                    format!("Record<string, {}>", self.type_of(more, depth + 1))
                }
                _ => "Record<string, unknown>".to_owned(),
            };
        };
        let members = properties.iter().map(|(name, schema)| {
            let mark = if is_required(name) { "" } else { "?" };
            let type_ = self.type_of(schema, depth + 1);
            format!("{}{mark}: {type_}", property_name(name))
        });
        let members: Vec<_> = members.collect();
        format!("{{ {} }}", members.join("; "))
    }
}

/// Returns whether an input with this schema can be omitted.
pub(super) fn may_be_empty(schema: &Value) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_none_or(Vec::is_empty) && schema.get("anyOf").is_none()
}

/// Returns the name of a property, quoted if it is no identifier.
pub(super) fn property_name(name: &str) -> String {
    let mut chars = name.chars();
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '$';
    let is_identifier =
        chars.next().is_some_and(begins) && chars.all(|c| begins(c) || c.is_ascii_digit());
    if is_identifier {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// Returns a text as a literal. JSON strings are valid TypeScript, except for two line separators.
fn quoted(text: &str) -> String {
    let json = Value::from(text).to_string();
    json.replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(_) => "Array<unknown>".to_owned(),
        Value::Object(_) => "Record<string, unknown>".to_owned(),
        plain => plain.to_string(),
    }
}

fn union(types: impl Iterator<Item = String>) -> String {
    let mut distinct: Vec<String> = Vec::new();
    for type_ in types {
        if type_ == "unknown" {
            return type_;
        }
        if !distinct.contains(&type_) {
            distinct.push(type_);
        }
    }
    match distinct.as_slice() {
        [] => "unknown".to_owned(),
        [only] => only.clone(),
        several => format!("({})", several.join(" | ")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(schema: &Value, expected: &str) {
        assert_eq!(TypeWriter::new(schema).root_type(), expected, "{schema}");
    }

    #[test]
    fn schemas_become_types() {
        check(&json!({}), "unknown");
        check(&json!(true), "unknown");
        check(&json!(false), "never");
        check(&json!({"type": "integer", "default": 3}), "number");
        check(&json!({"type": ["string", "null"]}), "(string | null)");
        check(&json!({"enum": ["a", 1, null]}), r#"("a" | 1 | null)"#);
        check(&json!({"const": "a\"\u{2028}b"}), r#""a\"\u2028b""#);
        check(
            &json!({"type": "array", "items": {"type": "string"}}),
            "Array<string>",
        );
        check(
            &json!({"anyOf": [{"type": "string"}, {"type": "array"}]}),
            "(string | Array<unknown>)",
        );
        check(&json!({"type": "object"}), "Record<string, unknown>");
        check(
            &json!({"type": "object", "additionalProperties": {"type": "number"}}),
            "Record<string, number>",
        );
        check(
            &json!({"type": "object", "required": ["a"], "properties": {
                "a": {"type": "string"}, "b-c": {"type": ["integer", "number"]}, "d": {}},
                "anyOf": [{"required": ["a"]}]}),
            r#"{ a: string; "b-c"?: number; d?: unknown }"#,
        );
    }

    #[test]
    fn schemas_that_contain_themselves_end() {
        let tree = json!({"$ref": "#/$defs/t", "$defs": {"t": {"type": "object", "properties": {
            "left": {"$ref": "#/$defs/t"}, "right": {"$ref": "#/$defs/t"}, "odd": {"$ref": "http://x"}}}}});
        let text = TypeWriter::new(&tree).root_type();
        assert!(text.len() < 200_000, "{} bytes", text.len());
        check(&json!({"$ref": "#"}), "unknown");
        check(&json!({"$ref": "#/nowhere"}), "unknown");
    }
}
