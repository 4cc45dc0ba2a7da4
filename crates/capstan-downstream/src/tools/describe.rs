//! A tool as its server describes it becomes one that can be relied upon.

use capstan_core::card::Operation;
use capstan_core::port::Tool;
use serde_json::{Map, Value, json};

const LONGEST_NAME: usize = 128;

/// One line is what a search needs; the rest would fill whoever reads it.
const LONGEST_DESCRIPTION: usize = 200;

/// Larger schemas are not worth their memory.
const LARGEST_SCHEMA: usize = 256 * 1024;

/// Reads one tool. The error says why it cannot be used.
pub(super) fn read(tool: &Value) -> Result<Tool, String> {
    let name = tool.get("name").and_then(Value::as_str);
    let name = name.ok_or("it has no name")?;
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:/-".contains(&byte);
    if !(1..=LONGEST_NAME).contains(&name.len()) || !name.bytes().all(fits) {
        return Err(format!(
            "its name must have 1 to {LONGEST_NAME} letters, digits and `_.:/-`"
        ));
    }
    let hint = |key: &str| {
        let hint = tool.get("annotations").and_then(|hints| hints.get(key));
        hint == Some(&Value::Bool(true))
    };
    let only_reads = hint("readOnlyHint");
    let operation = if only_reads {
        Operation::Read
    } else {
        Operation::Write
    };
    let input_schema = tool.get("inputSchema").and_then(schema);
    Ok(Tool {
        name: name.to_owned(),
        description: description(tool),
        input_schema: input_schema.unwrap_or_else(|| json!({ "type": "object" })),
        output_schema: tool.get("outputSchema").and_then(schema),
        operation,
        idempotent: only_reads || hint("idempotentHint"),
    })
}

/// The first line that says something, cut.
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
    if line.chars().count() <= LONGEST_DESCRIPTION {
        return line;
    }
    let mut cut: String = line.chars().take(LONGEST_DESCRIPTION).collect();
    cut.push('…');
    cut
}

/// A schema of objects; nothing where it is none.
fn schema(schema: &Value) -> Option<Value> {
    let Value::Object(fields) = schema else {
        return None;
    };
    if schema.to_string().len() > LARGEST_SCHEMA {
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
        let huge = json!({ "type": "object", "description": "x".repeat(LARGEST_SCHEMA) });
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
