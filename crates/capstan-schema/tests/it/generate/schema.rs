//! Generates schemas: tidy ones as tools have them, and random combinations of keywords.

use serde_json::{Map, Value, json};

use super::choices::Choices;
use super::value::scalar;

pub(crate) const NAMES: [&str; 4] = ["a", "b", "c", "x-a"];
pub(crate) const PATTERNS: [&str; 5] = ["^a", "b$", "^[a-c]*$", "^x-", "."];
const TYPES: [&str; 7] = [
    "string", "integer", "number", "boolean", "null", "object", "array",
];
const KEYWORDS: [&str; 34] = [
    "type",
    "enum",
    "const",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
    "unevaluatedItems",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "description",
];

/// Generates a schema with definitions that it refers to, also recursively.
pub(crate) fn document(choices: &mut Choices<'_>) -> Value {
    let mut root = schema(choices, 3, Place::Top);
    if root.is_boolean() {
        root = json!({ "allOf": [root] });
    }
    if let Value::Object(keywords) = &mut root {
        let defs = json!({
            "a": schema(choices, 2, Place::Definition),
            "b": schema(choices, 1, Place::Definition),
        });
        keywords.insert("$defs".to_owned(), defs);
    }
    root
}

/// The position of a schema, which determines what it may refer to without an endless loop.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Place {
    Top,
    Definition,
    /// A schema of a part of the value.
    Part,
}

pub(crate) fn schema(choices: &mut Choices<'_>, depth: usize, place: Place) -> Value {
    let kinds = if depth == 0 { 6 } else { 14 };
    match choices.below(kinds) {
        0 => json!({}),
        1 => json!({ "type": *choices.one(&TYPES[..5]) }),
        2 => json!({ "enum": (0..=choices.below(3)).map(|_| scalar(choices)).collect::<Vec<_>>() }),
        3 => text_or_number(choices),
        4 => reference(choices, place),
        5 => json!(!choices.rarely(4)),
        6..=8 => object(choices, depth),
        9 => {
            let mut array =
                json!({"type": "array", "items": schema(choices, depth - 1, Place::Part)});
            add_some(
                &mut array,
                choices,
                depth,
                &["minItems", "maxItems", "uniqueItems", "prefixItems"],
            );
            array
        }
        10 => {
            let of = *choices.one(&["anyOf", "oneOf", "anyOf", "allOf"]);
            let mut any = json!({});
            any[of] = keyword(of, choices, depth, place);
            add_some(
                &mut any,
                choices,
                depth,
                &["type", "properties", "required"],
            );
            any
        }
        11 => json!({"anyOf": [schema(choices, depth - 1, place), {"type": "null"}]}),
        _ => {
            let mut heap = Map::new();
            for _ in 0..=choices.below(4) {
                let name = *choices.one(&KEYWORDS);
                heap.insert(name.to_owned(), keyword(name, choices, depth, place));
                if name == "if" {
                    heap.insert("then".to_owned(), schema(choices, depth - 1, place));
                    heap.insert("else".to_owned(), schema(choices, depth - 1, place));
                }
                if name == "contains" && choices.rarely(3) {
                    heap.insert("maxContains".to_owned(), json!(choices.below(3)));
                    heap.insert("minContains".to_owned(), json!(choices.below(3)));
                }
            }
            Value::Object(heap)
        }
    }
}

/// Generates the value of a keyword.
pub(crate) fn keyword(name: &str, choices: &mut Choices<'_>, depth: usize, place: Place) -> Value {
    let depth = depth.saturating_sub(1);
    match name {
        "type" if choices.rarely(3) => {
            json!([*choices.one(&TYPES[..4]), *choices.one(&TYPES[4..])])
        }
        "type" => json!(*choices.one(&TYPES)),
        "enum" => json!(
            (0..=choices.below(3))
                .map(|_| scalar(choices))
                .collect::<Vec<_>>()
        ),
        "const" => match choices.below(4) {
            0 => json!({"a": scalar(choices)}),
            1 => json!([scalar(choices)]),
            _ => scalar(choices),
        },
        "minimum" | "exclusiveMinimum" => choices
            .one(&[json!(0), json!(1), json!(-1), json!(0.5)])
            .clone(),
        "maximum" | "exclusiveMaximum" => choices
            .one(&[json!(3), json!(2), json!(1), json!(2.5)])
            .clone(),
        "multipleOf" => choices
            .one(&[json!(2), json!(1), json!(4), json!(0.5)])
            .clone(),
        "minLength" | "minItems" | "minProperties" => json!(choices.below(3)),
        "maxLength" | "maxItems" | "maxProperties" => json!(3 - choices.below(4)),
        "pattern" => json!(*choices.one(&PATTERNS)),
        "properties" | "dependentSchemas" => {
            let inner = if name == "properties" {
                Place::Part
            } else {
                place
            };
            let mut parts = Map::new();
            for _ in 0..=choices.below(3) {
                let name = (*choices.one(&NAMES)).to_owned();
                parts.insert(name, schema(choices, depth, inner));
            }
            Value::Object(parts)
        }
        "patternProperties" => {
            json!({ *choices.one(&PATTERNS): schema(choices, depth, Place::Part) })
        }
        "required" => {
            let mut names: Vec<_> = (0..=choices.below(2))
                .map(|_| *choices.one(&NAMES))
                .collect();
            names.dedup();
            json!(names)
        }
        "dependentRequired" => json!({ *choices.one(&NAMES): [*choices.one(&NAMES)] }),
        "additionalProperties" | "unevaluatedProperties" if !choices.rarely(3) => json!(false),
        "additionalProperties"
        | "unevaluatedProperties"
        | "items"
        | "contains"
        | "propertyNames"
        | "unevaluatedItems" => schema(choices, depth, Place::Part),
        "prefixItems" => json!([
            schema(choices, depth, Place::Part),
            schema(choices, depth, Place::Part)
        ]),
        "uniqueItems" => json!(true),
        "allOf" | "anyOf" | "oneOf" => {
            json!(
                (0..=choices.below(2))
                    .map(|_| schema(choices, depth, place))
                    .collect::<Vec<_>>()
            )
        }
        "not" | "if" => schema(choices, depth, place),
        _ => json!("a remark"),
    }
}

fn reference(choices: &mut Choices<'_>, place: Place) -> Value {
    match place {
        Place::Top => json!({"$ref": *choices.one(&["#/$defs/a", "#/$defs/b"])}),
        Place::Part => json!({"$ref": *choices.one(&["#/$defs/a", "#/$defs/b", "#"])}),
        Place::Definition => json!({"type": "string"}),
    }
}

fn object(choices: &mut Choices<'_>, depth: usize) -> Value {
    let mut object =
        json!({"type": "object", "properties": keyword("properties", choices, depth, Place::Part)});
    if !choices.rarely(3) {
        let named: Vec<_> = object["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        let count = choices.below(named.len() + 1);
        object["required"] = json!(named[..count]);
    }
    if choices.rarely(3) {
        object["additionalProperties"] = json!(false);
    }
    add_some(
        &mut object,
        choices,
        depth,
        &[
            "required",
            "additionalProperties",
            "patternProperties",
            "minProperties",
            "unevaluatedProperties",
        ],
    );
    object
}

fn text_or_number(choices: &mut Choices<'_>) -> Value {
    let (mut it, keywords) = match choices.below(3) {
        0 => (
            json!({"type": "string"}),
            &["minLength", "maxLength", "pattern"],
        ),
        1 => (
            json!({"type": "integer"}),
            &["minimum", "exclusiveMaximum", "multipleOf"],
        ),
        _ => (
            json!({"type": ["number", "null"]}),
            &["minimum", "maximum", "exclusiveMinimum"],
        ),
    };
    add_some(&mut it, choices, 0, keywords);
    it
}

fn add_some(to: &mut Value, choices: &mut Choices<'_>, depth: usize, keywords: &[&str]) {
    if choices.rarely(2) {
        let name = *choices.one(keywords);
        to[name] = keyword(name, choices, depth, Place::Part);
    }
}
