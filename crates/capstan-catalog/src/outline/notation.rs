//! The notation of types in outlines: `string`, `open|closed`, `[string]`, `{name: string, color?: string}`,
//! `{"*": string}` for a map, `file` for the content of a file, `{enum: [1, 2]}` for values that are not words,
//! `{one_of: [string, [string]]}`.

use serde_json::{Map, Value, json};

/// Words that mean a type. Every other word is a value of an enumeration.
const TYPES: [&str; 7] = [
    "string", "integer", "number", "boolean", "null", "object", "any",
];

/// The content of a file.
const FILE: &str = "file";

/// Returns the schema of the content of a file: a text, or bytes in Base64.
fn file_schema() -> Value {
    json!({
        "anyOf": [
            {"type": "string"},
            {
                "type": "object",
                "required": ["base64"],
                "additionalProperties": false,
                "properties": {"base64": {"type": "string", "contentEncoding": "base64"}},
            },
        ],
        "description": "the content, as a text or in Base64; `capstan run` reads a file for @FILE",
    })
}

/// Returns the JSON Schema of an input.
pub(super) fn input_schema(notation: &Value) -> Result<Value, String> {
    match notation {
        Value::String(words) => words_schema(words),
        Value::Array(items) => Ok(json!({"type": "array", "items": input_schema(single(items)?)?})),
        Value::Object(fields) => object_schema(fields),
        other => Err(format!("`{other}` is not a type")),
    }
}

fn object_schema(fields: &Map<String, Value>) -> Result<Value, String> {
    if let Some(values) = fields.get("enum").and_then(Value::as_array) {
        return Ok(json!({"enum": values}));
    }
    if let (1, Some(Value::Array(choices))) = (fields.len(), fields.get("one_of")) {
        return one_of(choices);
    }
    if let Some(values) = fields.get("*") {
        return Ok(json!({"type": "object", "additionalProperties": input_schema(values)?}));
    }
    properties(fields.iter())
}

/// Returns the schema of a value that has one of several types.
fn one_of(choices: &[Value]) -> Result<Value, String> {
    let schemas = choices.iter().map(input_schema);
    let mut schemas: Vec<Value> = schemas.collect::<Result<_, _>>()?;
    let null = json!({"type": "null"});
    match schemas.as_mut_slice() {
        [] | [_] => Err("`one_of` has at least two types".to_owned()),
        // A type or nothing needs no alternatives.
        [one, other] if *other == null && one["type"].is_string() => {
            one["type"] = json!([one["type"], "null"]);
            Ok(one.take())
        }
        _ => Ok(json!({ "anyOf": schemas })),
    }
}

/// Returns the schema of an object with these fields. The names of optional ones end in `?`.
pub(super) fn properties<'a>(
    fields: impl Iterator<Item = (&'a String, &'a Value)>,
) -> Result<Value, String> {
    let mut required = Vec::new();
    let mut properties = Map::new();
    for (name, notation) in fields {
        let schema = input_schema(notation).map_err(|problem| format!("{name}: {problem}"))?;
        let plain = name.strip_suffix('?').unwrap_or(name);
        if plain == name {
            required.push(json!(name));
        }
        properties.insert(plain.to_owned(), schema);
    }
    let mut schema = json!({"type": "object"});
    if !required.is_empty() {
        schema["required"] = Value::Array(required);
    }
    schema["properties"] = Value::Object(properties);
    Ok(schema)
}

fn words_schema(words: &str) -> Result<Value, String> {
    if words == FILE {
        return Ok(file_schema());
    }
    let words: Vec<&str> = words.split('|').map(str::trim).collect();
    if words.contains(&"any") {
        return Ok(json!({}));
    }
    let (types, values): (Vec<&str>, Vec<&str>) =
        words.into_iter().partition(|word| TYPES.contains(word));
    match (types.as_slice(), values.as_slice()) {
        (_, [.., ""] | ["", ..]) => Err("a type has an empty word".to_owned()),
        ([one], []) => Ok(json!({"type": one})),
        (types, []) => Ok(json!({"type": types})),
        ([], values) => Ok(json!({"enum": values})),
        (["null"], values) => {
            let values = values.iter().map(|value| json!(value));
            let values: Vec<_> = values.chain([Value::Null]).collect();
            Ok(json!({"enum": values}))
        }
        (types, values) => Err(format!(
            "{types:?} and the values {values:?} cannot be mixed; write `enum`"
        )),
    }
}

/// A field of an answer: what it promises, and where it is read.
pub(super) struct AnswerField {
    pub(super) schema: Value,
    /// An expression, or an object with `from` or `each` and `fields`.
    pub(super) mapping: Value,
}

/// Returns a field of an answer. It promises a type, and never that the field is there.
pub(super) fn answer_field(name: &str, notation: &Value) -> Result<AnswerField, String> {
    match notation {
        Value::String(text) => {
            let (words, path) = match text.split_once(" = ") {
                Some((words, path)) => (words, path.trim()),
                None => (text.as_str(), name),
            };
            let schema = answer_words(words)?;
            Ok(AnswerField {
                schema,
                mapping: json!(path),
            })
        }
        Value::Array(items) => match single(items)? {
            Value::Object(fields) => {
                let (schema, mappings) = answer_fields(fields.iter())?;
                Ok(AnswerField {
                    schema: json!({"type": ["array", "null"], "items": schema}),
                    mapping: json!({"each": name, "fields": mappings}),
                })
            }
            Value::String(words) => Ok(AnswerField {
                schema: json!({"type": ["array", "null"], "items": answer_words(words)?}),
                mapping: json!(name),
            }),
            other => Err(format!("`{other}` is not a type")),
        },
        Value::Object(fields) => {
            let (mut schema, mappings) = answer_fields(fields.iter())?;
            schema["type"] = json!(["object", "null"]);
            Ok(AnswerField {
                schema,
                mapping: json!({"from": name, "fields": mappings}),
            })
        }
        other => Err(format!("`{other}` is not a type")),
    }
}

/// Returns the schema of an object with these fields, and the mapping of each.
pub(super) fn answer_fields<'a>(
    fields: impl Iterator<Item = (&'a String, &'a Value)>,
) -> Result<(Value, Map<String, Value>), String> {
    let mut properties = Map::new();
    let mut mappings = Map::new();
    for (name, notation) in fields {
        let field = answer_field(name, notation).map_err(|problem| format!("{name}: {problem}"))?;
        properties.insert(name.clone(), field.schema);
        mappings.insert(name.clone(), field.mapping);
    }
    let schema = json!({"type": "object", "properties": properties});
    Ok((schema, mappings))
}

pub(super) fn answer_words(words: &str) -> Result<Value, String> {
    let words = words.trim();
    if let Some(items) = words.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
        return Ok(json!({"type": ["array", "null"], "items": answer_words(items)?}));
    }
    let mut types: Vec<&str> = words.split('|').map(str::trim).collect();
    if let Some(unknown) = types.iter().find(|word| !TYPES.contains(word)) {
        return Err(format!("`{unknown}` is not a type"));
    }
    if types.contains(&"any") {
        return Ok(json!({}));
    }
    if !types.contains(&"null") {
        types.push("null");
    }
    Ok(json!({"type": types}))
}

fn single(items: &[Value]) -> Result<&Value, String> {
    match items {
        [item] => Ok(item),
        _ => Err("a list has exactly one type".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::input_schema;

    #[track_caller]
    fn check(notation: &Value, schema: &Value) {
        assert_eq!(input_schema(notation).as_ref(), Ok(schema), "{notation}");
    }

    #[test]
    fn one_of_several_types() {
        check(
            &json!({"one_of": ["string", ["string"]]}),
            &json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
        );
        check(
            &json!({"one_of": [["string"], "null"]}),
            &json!({"type": ["array", "null"], "items": {"type": "string"}}),
        );
        check(
            &json!({"one_of": [{"id": "integer"}, "null"]}),
            &json!({
                "type": ["object", "null"],
                "required": ["id"],
                "properties": {"id": {"type": "integer"}},
            }),
        );
    }

    #[test]
    fn a_file_is_a_text_or_base64() {
        let schema = input_schema(&json!("file")).unwrap();
        assert_eq!(schema["anyOf"][0], json!({"type": "string"}));
        assert_eq!(schema["anyOf"][1]["required"], json!(["base64"]));
        // Among other words it is a value.
        check(&json!("file|dir"), &json!({"enum": ["file", "dir"]}));
    }

    #[test]
    fn a_field_may_be_called_one_of() {
        check(
            &json!({"one_of?": ["string"]}),
            &json!({
                "type": "object",
                "properties": {"one_of": {"type": "array", "items": {"type": "string"}}},
            }),
        );
        for notation in [json!({"one_of": []}), json!({"one_of": ["string"]})] {
            assert!(input_schema(&notation).is_err(), "{notation}");
        }
    }
}
