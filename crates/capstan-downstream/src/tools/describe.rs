//! Validates a tool as its server describes it.

use capstan_core::card::Operation;
use capstan_core::port::Tool;
use serde_json::{Map, Value, json};

const MAX_NAME_LENGTH: usize = 128;

/// How many characters of a description are kept: one line is enough for a search, and more would
/// flood the reader.
const MAX_DESCRIPTION_CHARS: usize = 200;

/// Larger schemas, in bytes, are dropped to save memory.
const MAX_SCHEMA_BYTES: usize = 256 * 1024;

/// Reads one tool. The error says why it cannot be used.
pub(super) fn read(tool: &Value) -> Result<Tool, String> {
    let name = tool.get("name").and_then(Value::as_str);
    let name = name.ok_or("it has no name")?;
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:/-".contains(&byte);
    if !(1..=MAX_NAME_LENGTH).contains(&name.len()) || !name.bytes().all(fits) {
        return Err(format!(
            "its name must have 1 to {MAX_NAME_LENGTH} letters, digits and `_.:/-`"
        ));
    }
    let hint = |key: &str| {
        let hint = tool.get("annotations").and_then(|hints| hints.get(key));
        hint == Some(&Value::Bool(true))
    };
    let is_read_only = hint("readOnlyHint");
    let operation = if is_read_only {
        Operation::Read
    } else {
        Operation::Write
    };
    let input_schema = tool.get("inputSchema").and_then(object_schema);
    Ok(Tool {
        name: name.to_owned(),
        description: description(tool),
        input_schema: input_schema.unwrap_or_else(|| json!({ "type": "object" })),
        output_schema: tool.get("outputSchema").and_then(object_schema),
        operation,
        idempotent: is_read_only || hint("idempotentHint"),
    })
}

/// Returns the first line that is not empty, shortened.
fn description(tool: &Value) -> String {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(first_line);
    let candidates = [
        text(tool.get("description")),
        text(tool.get("title")),
        text(tool.pointer("/annotations/title")),
    ];
    let found = candidates
        .into_iter()
        .flatten()
        .find(|text| !text.is_empty());
    found.unwrap_or_default()
}

fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    let line: String = line
        .unwrap_or_default()
        .chars()
        .filter(|c| !c.is_control())
        .collect();
    if line.chars().count() <= MAX_DESCRIPTION_CHARS {
        return line;
    }
    let mut cut: String = line.chars().take(MAX_DESCRIPTION_CHARS).collect();
    cut.push('…');
    cut
}

/// Returns the schema if it describes objects.
fn object_schema(schema: &Value) -> Option<Value> {
    let Value::Object(fields) = schema else {
        return None;
    };
    if schema.to_string().len() > MAX_SCHEMA_BYTES {
        return None;
    }
    match fields.get("type") {
        Some(Value::String(kind)) if kind == "object" => Some(schema.clone()),
        Some(_) => None,
        None => {
            let mut complete = Map::new();
            complete.insert("type".to_owned(), json!("object"));
            complete.extend(fields.clone());
            Some(Value::Object(complete))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_leaves_out_is_assumed_with_care() {
        let tool = read(&json!({ "name": "a" })).unwrap();
        assert_eq!(
            tool,
            Tool {
                name: "a".to_owned(),
                description: String::new(),
                input_schema: json!({ "type": "object" }),
                output_schema: None,
                operation: Operation::Write,
                idempotent: false,
            }
        );
    }

    #[test]
    fn hints_say_whether_it_only_reads() {
        let with = |hints: Value| {
            let tool = read(&json!({ "name": "a", "annotations": hints })).unwrap();
            (tool.operation, tool.idempotent)
        };
        assert_eq!(
            with(json!({ "readOnlyHint": true })),
            (Operation::Read, true)
        );
        assert_eq!(
            with(json!({ "readOnlyHint": "yes" })),
            (Operation::Write, false)
        );
        assert_eq!(
            with(json!({ "idempotentHint": true })),
            (Operation::Write, true)
        );
        assert_eq!(with(json!(null)), (Operation::Write, false));
    }

    #[test]
    fn schemas_are_schemas_of_objects() {
        let input = |schema: Value| {
            let tool = json!({ "name": "a", "inputSchema": schema, "outputSchema": schema });
            let tool = read(&tool).unwrap();
            (tool.input_schema, tool.output_schema)
        };
        let anything = json!({ "type": "object" });
        let good = json!({ "type": "object", "properties": { "x": {} } });
        assert_eq!(input(good.clone()), (good.clone(), Some(good)));
        for bad in [
            json!(true),
            json!("x"),
            json!(null),
            json!({ "type": "array" }),
        ] {
            assert_eq!(input(bad), (anything.clone(), None));
        }
        assert_eq!(input(json!({})), (anything.clone(), Some(anything.clone())));
        let huge = json!({ "type": "object", "description": "x".repeat(MAX_SCHEMA_BYTES) });
        assert_eq!(input(huge), (anything, None));
    }

    #[test]
    fn names_must_fit() {
        let long = "a".repeat(129);
        for bad in ["", "a b", "é", "a\n", long.as_str()] {
            assert!(read(&json!({ "name": bad })).is_err(), "{bad:?}");
        }
        for good in ["a", "get_x", "a.b", "a:b/c-d", "A1"] {
            assert!(read(&json!({ "name": good })).is_ok(), "{good:?}");
        }
        assert!(read(&json!({})).is_err());
    }

    #[test]
    fn descriptions_are_one_short_line() {
        let described = |text: &str| {
            let tool = json!({ "name": "a", "description": text, "title": "T" });
            read(&tool).unwrap().description
        };
        assert_eq!(described("\n  Reads\tit \x1b[1m.\nMore."), "Readsit [1m.");
        assert_eq!(described("  \n"), "T");
        assert_eq!(described(&"é".repeat(300)), format!("{}…", "é".repeat(200)));
    }
}
