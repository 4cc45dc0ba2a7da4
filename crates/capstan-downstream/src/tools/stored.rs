//! The format of tools in the store.

use capstan_core::card::Operation;
use capstan_core::port::Tool;
use serde_json::{Value, json};

pub(super) fn encode(tools: &[Tool]) -> Value {
    let encode_tool = |tool: &Tool| {
        json!({
            "name": tool.name,
            "description": tool.description,
            "input_schema": tool.input_schema,
            "output_schema": tool.output_schema,
            "operation": tool.operation,
            "idempotent": tool.idempotent,
        })
    };
    json!({ "version": VERSION, "tools": tools.iter().map(encode_tool).collect::<Vec<_>>() })
}

/// Returns `None` if the format has another version or is damaged.
pub(super) fn decode(stored: &Value) -> Option<Vec<Tool>> {
    if stored.get("version")?.as_u64()? != VERSION {
        return None;
    }
    stored
        .get("tools")?
        .as_array()?
        .iter()
        .map(decode_tool)
        .collect()
}

/// Increased when tools are read differently.
const VERSION: u64 = 1;

fn decode_tool(tool: &Value) -> Option<Tool> {
    let text = |key: &str| Some(tool.get(key)?.as_str()?.to_owned());
    let operation = match text("operation")?.as_str() {
        "READ" => Operation::Read,
        "WRITE" => Operation::Write,
        _ => return None,
    };
    Some(Tool {
        name: text("name")?,
        description: text("description")?,
        input_schema: tool.get("input_schema")?.clone(),
        output_schema: tool
            .get("output_schema")
            .filter(|it| !it.is_null())
            .cloned(),
        operation,
        idempotent: tool.get("idempotent")?.as_bool()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_cannot_be_read_is_not_known() {
        for stored in [
            json!(null),
            json!([]),
            json!({ "version": 99, "tools": [] }),
            json!({ "version": 1, "tools": [{ "name": "a" }] }),
        ] {
            assert_eq!(decode(&stored), None, "{stored}");
        }
    }

    proptest! {
        #[test]
        fn what_is_kept_comes_back(
            name in "[a-z]{1,8}",
            description in ".{0,20}",
            reads in any::<bool>(),
            promises in any::<bool>(),
            idempotent in any::<bool>(),
        ) {
            let tools = [Tool {
                name,
                description,
                input_schema: json!({ "type": "object" }),
                output_schema: promises.then(|| json!({ "type": "object", "x": 1 })),
                operation: if reads { Operation::Read } else { Operation::Write },
                idempotent,
            }];
            prop_assert_eq!(decode(&encode(&tools)).unwrap(), tools);
        }
    }
}
