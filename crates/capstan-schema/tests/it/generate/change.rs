//! Changes schemas a little, mostly so that more values match.

use serde_json::{Map, Value, json};

use super::choices::Choices;
use super::schema::{Place, keyword, schema};

/// Returns the schema with a few random changes.
pub(crate) fn changed(schema: &Value, choices: &mut Choices<'_>) -> Value {
    let mut changed = schema.clone();
    for _ in 0..=choices.below(3) {
        change(&mut changed, choices, Place::Top);
    }
    changed
}

fn change(node: &mut Value, choices: &mut Choices<'_>, place: Place) {
    let mut below: Vec<(&mut Value, Place)> = Vec::new();
    if !choices.rarely(3)
        && let Value::Object(keywords) = &mut *node
    {
        for (name, value) in keywords {
            match (name.as_str(), value) {
                ("properties" | "patternProperties", Value::Object(parts)) => {
                    below.extend(parts.values_mut().map(|it| (it, Place::Part)));
                }
                ("$defs", Value::Object(parts)) => {
                    below.extend(parts.values_mut().map(|it| (it, Place::Definition)));
                }
                ("allOf" | "anyOf" | "oneOf", Value::Array(parts)) => {
                    below.extend(parts.iter_mut().map(|it| (it, place)));
                }
                ("items" | "additionalProperties" | "contains", part) => {
                    below.push((part, Place::Part));
                }
                ("not" | "if" | "then" | "else", part) => below.push((part, place)),
                _ => {}
            }
        }
        if !below.is_empty() {
            let index = choices.below(below.len());
            let (part, place) = below.swap_remove(index);
            return change(part, choices, place);
        }
    }
    here(node, choices, place);
}

fn here(node: &mut Value, choices: &mut Choices<'_>, place: Place) {
    let Value::Object(keywords) = node else {
        if choices.rarely(2) {
            *node = schema(choices, 0, Place::Definition);
        }
        return;
    };
    match choices.below(11) {
        0 => {
            keywords.insert("title".to_owned(), json!("another"));
        }
        1 | 2 => remove(keywords, choices),
        3 => {
            let name = *choices.one(&[
                "minimum",
                "maxLength",
                "required",
                "additionalProperties",
                "type",
                "minItems",
                "pattern",
                "not",
            ]);
            keywords.insert(name.to_owned(), keyword(name, choices, 1, place));
        }
        4 => {
            let inner = std::mem::take(keywords);
            let defs = keep_defs(&inner);
            *node = json!({"anyOf": [inner, schema(choices, 1, place)]});
            restore(node, defs);
        }
        5 => {
            let inner = std::mem::take(keywords);
            let defs = keep_defs(&inner);
            *node = json!({"allOf": [inner]});
            restore(node, defs);
        }
        6 => match keywords.get_mut("type") {
            Some(Value::String(kind)) if kind == "integer" => *kind = "number".to_owned(),
            Some(kind @ Value::String(_)) if kind != "null" => {
                *kind = json!([kind.clone(), "null"]);
            }
            _ => remove(keywords, choices),
        },
        7 => match keywords.get_mut("enum") {
            Some(Value::Array(values)) => values.push(json!("more")),
            _ => remove(keywords, choices),
        },
        8 => match keywords.get_mut("required") {
            Some(Value::Array(names)) => {
                names.pop();
            }
            _ => remove(keywords, choices),
        },
        9 => match keywords.get_mut("properties") {
            Some(Value::Object(parts)) if !parts.is_empty() => {
                let name = parts
                    .keys()
                    .nth(choices.below(parts.len()))
                    .unwrap()
                    .clone();
                parts.remove(&name);
            }
            _ => remove(keywords, choices),
        },
        _ => {
            for bound in ["minLength", "minItems", "minProperties", "minimum"] {
                if keywords.contains_key(bound) {
                    keywords.insert(bound.to_owned(), json!(0));
                }
            }
            for bound in ["maxLength", "maxItems", "maxProperties", "maximum"] {
                if keywords.contains_key(bound) {
                    keywords.insert(bound.to_owned(), json!(7));
                }
            }
        }
    }
}

/// Removes a keyword, unless references may point into it.
fn remove(keywords: &mut Map<String, Value>, choices: &mut Choices<'_>) {
    let names: Vec<_> = keywords
        .keys()
        .filter(|it| *it != "$defs")
        .cloned()
        .collect();
    if !names.is_empty() {
        keywords.remove(choices.one(&names));
    }
}

fn keep_defs(keywords: &Map<String, Value>) -> Option<Value> {
    keywords.get("$defs").cloned()
}

fn restore(node: &mut Value, defs: Option<Value>) {
    if let (Value::Object(keywords), Some(defs)) = (node, defs) {
        keywords.insert("$defs".to_owned(), defs);
    }
}
