//! Generates values, with and without a schema.

use serde_json::{Map, Value, json};

use super::choices::Choices;
use super::schema::NAMES;

pub(crate) fn scalar(choices: &mut Choices<'_>) -> Value {
    choices
        .one(&[
            json!("a"),
            json!(1),
            json!(null),
            json!(true),
            json!("ab"),
            json!(2),
            json!(0),
            json!("x-a"),
            json!(""),
            json!(false),
            json!(1.0),
            json!(0.5),
            json!(-1),
            json!("abcd"),
            json!(4),
        ])
        .clone()
}

/// Values that every pair is tested with.
pub(crate) fn values() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(1.0),
        json!(2.5),
        json!(-3),
        json!(4),
        json!(""),
        json!("a"),
        json!("ab"),
        json!("abc"),
        json!("zzzz"),
        json!([]),
        json!([1]),
        json!(["a", "a"]),
        json!([null, {}, []]),
        json!({}),
        json!({"a": 1}),
        json!({"a": "a", "b": null}),
        json!({"zz": 1}),
        json!({"a": 1, "b": 2, "c": 3, "x-a": 4, "zz": 5}),
        json!({"a": {"a": {}}, "b": []}),
    ]
}

/// Generates a value that probably matches this schema.
pub(crate) fn sample(
    schema: &Value,
    root: &Value,
    choices: &mut Choices<'_>,
    depth: usize,
) -> Value {
    if depth == 0 || choices.rarely(12) {
        return anything(choices, depth.min(2));
    }
    let Some(keywords) = schema.as_object() else {
        return anything(choices, depth.min(2));
    };
    if let Some(value) = keywords.get("const") {
        return value.clone();
    }
    if let Some(values) = keywords.get("enum").and_then(Value::as_array) {
        return choices.one(values).clone();
    }
    if let Some(reference) = keywords.get("$ref").and_then(Value::as_str) {
        let target = root.pointer(&reference[1..]).unwrap_or(root);
        return sample(target, root, choices, depth - 1);
    }
    let mut merged = Map::new();
    let nested = ["allOf", "anyOf", "oneOf"]
        .iter()
        .filter_map(|it| keywords.get(*it)?.as_array());
    let mut picked: Vec<&Value> = nested
        .filter(|it| !it.is_empty())
        .map(|it| choices.one(it))
        .collect();
    if let Some(then) = keywords.get("then")
        && choices.rarely(2)
    {
        picked.push(then);
    }
    for part in picked {
        match sample(part, root, choices, depth - 1) {
            Value::Object(part) => merged.extend(part),
            other if !keywords.contains_key("properties") => return other,
            _ => {}
        }
    }
    let kind = match keywords.get("type") {
        Some(Value::String(kind)) => kind.as_str(),
        Some(Value::Array(kinds)) => choices.one(kinds).as_str().unwrap_or("null"),
        _ if keywords
            .keys()
            .any(|it| it.contains("ropert") || it == "required") =>
        {
            "object"
        }
        _ if keywords
            .keys()
            .any(|it| it.contains("tems") || it == "contains") =>
        {
            "array"
        }
        _ if !merged.is_empty() => "object",
        _ => "",
    };
    match kind {
        "object" => object(keywords, root, choices, depth, merged),
        "array" => {
            let least = keywords
                .get("minItems")
                .and_then(Value::as_u64)
                .unwrap_or(0) as usize;
            let first = keywords.get("prefixItems").and_then(Value::as_array);
            let items = (0..least + choices.below(3)).map(|index| {
                let part = first.and_then(|it| it.get(index));
                let part = part.or_else(|| keywords.get("items").or(keywords.get("contains")));
                sample(part.unwrap_or(&Value::Bool(true)), root, choices, depth - 1)
            });
            Value::Array(items.collect())
        }
        "string" => choices
            .one(&[
                json!("a"),
                json!("ab"),
                json!(""),
                json!("abc"),
                json!("x-a"),
                json!("zzzz"),
            ])
            .clone(),
        "integer" | "number" => choices
            .one(&[
                json!(1),
                json!(2),
                json!(0),
                json!(1.0),
                json!(4),
                json!(0.5),
                json!(-1),
                json!(9),
            ])
            .clone(),
        "boolean" => json!(choices.rarely(2)),
        "null" => json!(null),
        _ => anything(choices, depth.min(2)),
    }
}

fn object(
    keywords: &Map<String, Value>,
    root: &Value,
    choices: &mut Choices<'_>,
    depth: usize,
    mut object: Map<String, Value>,
) -> Value {
    let named = keywords.get("properties").and_then(Value::as_object);
    let required = keywords.get("required").and_then(Value::as_array);
    for (name, part) in named.into_iter().flatten() {
        let needed = required.is_some_and(|it| it.iter().any(|it| it == name));
        if needed && !choices.rarely(12) || choices.rarely(2) {
            object.insert(name.clone(), sample(part, root, choices, depth - 1));
        }
    }
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if !object.contains_key(name) {
            object.insert(name.to_owned(), anything(choices, 1));
        }
    }
    if choices.rarely(3) {
        let name = (*choices.one(&NAMES)).to_owned();
        let others = keywords
            .get("additionalProperties")
            .or(keywords.get("unevaluatedProperties"));
        let part = others.unwrap_or(&Value::Bool(true));
        let value = sample(part, root, choices, depth - 1);
        object.entry(name).or_insert(value);
    }
    Value::Object(object)
}

fn anything(choices: &mut Choices<'_>, depth: usize) -> Value {
    match choices.below(if depth == 0 { 3 } else { 5 }) {
        3 => json!(
            (0..choices.below(3))
                .map(|_| anything(choices, depth - 1))
                .collect::<Vec<_>>()
        ),
        4 => {
            let names = (0..choices.below(4)).map(|_| (*choices.one(&NAMES)).to_owned());
            let names: Vec<_> = names.collect();
            Value::Object(
                names
                    .into_iter()
                    .map(|it| (it, anything(choices, depth - 1)))
                    .collect(),
            )
        }
        _ => scalar(choices),
    }
}
