//! Types of inputs in the notation of outlines.

use serde_json::{Map, Value, json};

use crate::description::{Kind, Object, Schema};

/// How long the notation of an input may be. Longer ones lose their innermost types.
const MAX_LENGTH: usize = 700;
/// How deeply an input is described at most.
const MAX_DEPTH: usize = 6;
/// Words that mean types.
const TYPES: [&str; 7] = [
    "string", "integer", "number", "boolean", "null", "object", "any",
];

/// Returns the notation of the type of an input.
pub(crate) fn input_type(schema: &Schema) -> Value {
    let mut depth = MAX_DEPTH;
    loop {
        let notation = notation(schema, depth);
        if depth <= 1 || notation.to_string().len() <= MAX_LENGTH {
            return notation;
        }
        depth -= 1;
    }
}

/// Returns the name of an input with the mark of optional ones.
pub(crate) fn marked(name: &str, is_required: bool) -> String {
    let mark = if is_required { "" } else { "?" };
    format!("{name}{mark}")
}

fn notation(schema: &Schema, depth: usize) -> Value {
    let plain = match &schema.kind {
        Kind::Any => return json!("any"),
        Kind::Text => json!("string"),
        Kind::Integer => json!("integer"),
        Kind::Number => json!("number"),
        Kind::Boolean => json!("boolean"),
        Kind::Values(values) => return values_notation(values, schema.is_nullable),
        Kind::List(_) | Kind::Object(_) | Kind::Choice(_) if depth == 0 => return json!("any"),
        Kind::List(items) => json!([notation(items, depth - 1)]),
        Kind::Object(object) => object_notation(object, depth),
        Kind::Choice(choices) => {
            let has_text = choices.iter().any(|it| it.kind == Kind::Text);
            // Where a text will do, an object only costs more.
            let needed = choices
                .iter()
                .filter(|it| !has_text || it.as_object().is_none());
            choice(needed.map(|it| notation(it, depth - 1)))
        }
    };
    if schema.is_nullable {
        choice([plain, json!("null")])
    } else {
        plain
    }
}

fn object_notation(object: &Object, depth: usize) -> Value {
    if object.fields.is_empty() {
        return match &object.values {
            Some(values) => json!({"*": notation(values, depth - 1)}),
            None => json!("object"),
        };
    }
    if object.fields.keys().any(|name| !can_be_written(name)) {
        return json!("object");
    }
    // GitHub refuses a body without what it requires, even if it is deprecated.
    let fields = object.fields.iter();
    let fields = fields.filter(|(name, it)| !it.is_deprecated || object.is_required(name));
    let fields: Map<_, _> = fields
        .map(|(name, schema)| {
            let marked = marked(name, object.is_required(name));
            (marked, notation(schema, depth - 1))
        })
        .collect();
    if fields.is_empty() {
        return json!("object");
    }
    Value::Object(fields)
}

/// Returns whether the name of a field means nothing else in the notation.
fn can_be_written(name: &str) -> bool {
    !name.is_empty() && !name.ends_with('?') && !matches!(name, "*" | "enum" | "one_of")
}

fn values_notation(values: &[Value], is_nullable: bool) -> Value {
    let words: Option<Vec<&str>> = values.iter().map(word).collect();
    match words {
        Some(mut words) if !words.is_empty() => {
            if is_nullable {
                words.push("null");
            }
            json!(words.join("|"))
        }
        _ => {
            let null = is_nullable.then_some(Value::Null);
            let values: Vec<_> = values.iter().cloned().chain(null).collect();
            json!({ "enum": values })
        }
    }
}

/// Returns a value that can be a word of the notation.
fn word(value: &Value) -> Option<&str> {
    let text = value.as_str()?;
    let is_word = !text.is_empty()
        && !TYPES.contains(&text)
        && text.trim() == text
        && !text.contains(['|', '\n', '=', '{', '[']);
    is_word.then_some(text)
}

/// Returns a type that is one of several.
fn choice(notations: impl IntoIterator<Item = Value>) -> Value {
    let mut flat: Vec<Value> = Vec::new();
    for notation in notations {
        match notation {
            Value::Object(mut fields) if fields.contains_key("one_of") => {
                if let Some(Value::Array(inner)) = fields.remove("one_of") {
                    flat.extend(inner);
                }
            }
            other => flat.push(other),
        }
    }
    let mut all: Vec<Value> = Vec::new();
    for notation in flat {
        if !all.contains(&notation) {
            all.push(notation);
        }
    }
    if all.iter().any(|notation| notation == "any") {
        return json!("any");
    }
    if let [only] = all.as_mut_slice() {
        return only.take();
    }
    let words: Option<Vec<&str>> = all.iter().map(only_types).collect();
    match words {
        Some(words) => json!(words.join("|")),
        None => json!({ "one_of": all }),
    }
}

/// Returns the words of a notation that consists of types.
fn only_types(notation: &Value) -> Option<&str> {
    let text = notation.as_str()?;
    text.split('|')
        .all(|word| TYPES.contains(&word))
        .then_some(text)
}
