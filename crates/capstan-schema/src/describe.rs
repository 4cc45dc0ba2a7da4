//! Describes schemas in a few words.

use serde_json::{Map, Value};

use crate::budget::Budget;
use crate::lookup::list;
use crate::schema::Schema;
use crate::types::TypeSet;

/// The approximate largest length of a description in characters.
const LENGTH: usize = 60;

/// The approximate largest length of a value in characters.
const VALUE_LENGTH: usize = 30;

/// The depth of descriptions.
const DEPTH: u32 = 4;

/// Describes a schema for people: `integer`, `string | null`, `"open" | "closed"`, `{id: string, name?:
/// string}`, `string[]`. Long descriptions are cut.
pub fn describe(schema: Schema<'_>) -> String {
    let words = Words {
        budget: Budget::new(),
    };
    cut(&words.of(schema, DEPTH), LENGTH)
}

/// Describes a value in a few characters.
pub(crate) fn describe_value(value: &Value) -> String {
    match value {
        Value::String(text) if text.len() > VALUE_LENGTH => {
            Value::String(cut(text, VALUE_LENGTH)).to_string()
        }
        Value::Array(items) if items.len() > VALUE_LENGTH => "[…]".to_owned(),
        Value::Object(object) if object.len() > VALUE_LENGTH => "{…}".to_owned(),
        value => cut(&value.to_string(), VALUE_LENGTH),
    }
}

fn cut(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((at, _)) => {
            let kept = text.get(..at).unwrap_or_default();
            format!("{}…", kept.trim_end())
        }
        None => text.to_owned(),
    }
}

struct Words {
    budget: Budget,
}

impl Words {
    fn of(&self, schema: Schema<'_>, depth: u32) -> String {
        let keywords = match schema.node {
            Value::Bool(true) => return "anything".to_owned(),
            Value::Bool(false) => return "nothing".to_owned(),
            Value::Object(keywords) => keywords,
            _ => return "not a schema".to_owned(),
        };
        if depth == 0 || !self.budget.spend(1) {
            return "…".to_owned();
        }
        if let Some(value) = keywords.get("const") {
            return describe_value(value);
        }
        if let Some(values) = list(keywords, "enum") {
            return several(values.iter().map(describe_value), " | ");
        }
        if let Some(parts) = list(keywords, "anyOf").or_else(|| list(keywords, "oneOf")) {
            let parts = parts.iter().map(|it| self.of(schema.child(it), depth - 1));
            return several(parts, " | ");
        }
        if let Some(Value::String(reference)) = keywords.get("$ref")
            && !keywords.contains_key("properties")
        {
            return match schema.resolve(reference, &self.budget) {
                Some(target) => self.of(target, depth - 1),
                None => reference.clone(),
            };
        }
        if let Some(parts) = list(keywords, "allOf")
            && !keywords.contains_key("properties")
        {
            let own = keywords
                .contains_key("type")
                .then(|| self.own(schema, keywords, depth));
            let parts = parts.iter().map(|it| self.of(schema.child(it), depth - 1));
            return several(own.into_iter().chain(parts), " & ");
        }
        self.own(schema, keywords, depth)
    }

    fn own(&self, schema: Schema<'_>, keywords: &Map<String, Value>, depth: u32) -> String {
        let types = match keywords.get("type").and_then(TypeSet::of_keyword) {
            Some(types) => types,
            None if keywords.contains_key("properties") => TypeSet::OBJECT,
            None if keywords.contains_key("items") => TypeSet::ARRAY,
            None => TypeSet::ALL,
        };
        if types == TypeSet::ALL {
            return match keywords.get("not") {
                Some(not) => format!("not {}", self.of(schema.child(not), depth - 1)),
                None => "anything".to_owned(),
            };
        }
        let names = types.names().into_iter().map(|name| match name {
            "object" => self.object(schema, keywords, depth),
            "array" => self.array(schema, keywords, depth),
            name => name.to_owned(),
        });
        several(names, " | ")
    }

    fn object(&self, schema: Schema<'_>, keywords: &Map<String, Value>, depth: u32) -> String {
        let Some(Value::Object(parts)) = keywords.get("properties") else {
            return match keywords.get("additionalProperties") {
                Some(others @ Value::Object(_)) => {
                    format!("{{*: {}}}", self.of(schema.child(others), depth - 1))
                }
                _ => "object".to_owned(),
            };
        };
        let parts = parts.iter().map(|(name, part)| {
            let mark = if crate::lookup::requires(keywords, name) {
                ""
            } else {
                "?"
            };
            format!("{name}{mark}: {}", self.of(schema.child(part), depth - 1))
        });
        format!("{{{}}}", several(parts, ", "))
    }

    fn array(&self, schema: Schema<'_>, keywords: &Map<String, Value>, depth: u32) -> String {
        if let Some(parts) = list(keywords, "prefixItems") {
            let parts = parts.iter().map(|it| self.of(schema.child(it), depth - 1));
            return format!("[{}]", several(parts, ", "));
        }
        match keywords.get("items") {
            Some(items) => {
                let items = self.of(schema.child(items), depth - 1);
                if items.contains([' ']) && !items.starts_with('{') {
                    format!("({items})[]")
                } else {
                    format!("{items}[]")
                }
            }
            None => "array".to_owned(),
        }
    }
}

/// Joins words, and stops once the rest would be cut anyway.
fn several(words: impl Iterator<Item = String>, between: &str) -> String {
    let mut all = String::new();
    for (index, word) in words.enumerate() {
        if index > 0 {
            all.push_str(between);
        }
        all.push_str(&word);
        if all.len() > 4 * LENGTH {
            break;
        }
    }
    all
}
