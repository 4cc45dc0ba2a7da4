//! `explain`: a compact summary of one capability, enough for a right first call.

use indexmap::IndexMap;
use rmcp::model::CallToolResult;
use serde_json::{Map, Value, json};

use capstan_core::ResultError;
use capstan_core::card::{Kind, Operation};
use capstan_engine::{Capstan, Explanation, Parameter};
use capstan_wire::CAPABILITY;

use crate::mcp::answer::{self, Style};
use crate::mcp::arguments::Arguments;

pub(in crate::mcp) const NAME: &str = "explain";
pub(in crate::mcp) const DESCRIPTION: &str = "Form, output and notes of capabilities.";

pub(in crate::mcp) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"capability": {"type": "array", "items": {"type": "string"}}}
    })
}

pub(in crate::mcp) async fn call(
    capstan: &Capstan,
    given: Map<String, Value>,
    style: Style,
) -> CallToolResult {
    let Asked {
        capabilities,
        as_typescript,
    } = match parse(given) {
        Ok(asked) => asked,
        Err(error) => return answer::failure(capstan, "", error, style),
    };
    let mut texts = Vec::new();
    let mut values = Vec::new();
    for capability in &capabilities {
        let explained = if as_typescript {
            let text = capstan.signature(capability).await;
            text.map(|text| {
                let json = json!({"capability_id": capability, "typescript": &text});
                (text, json)
            })
        } else {
            let explanation = capstan.explain(capability).await;
            explanation.map(|it| {
                let json = serde_json::to_value(&it).unwrap_or_default();
                (text(capstan, &it), json)
            })
        };
        match explained {
            Ok((text, value)) => {
                texts.push(text);
                values.push(value);
            }
            Err(error) if capabilities.len() == 1 => {
                return answer::failure(capstan, capability, error, style);
            }
            Err(error) => {
                texts.push(format!("{capability}: {}", error.message));
                values.push(json!({"capability_id": capability, "error": error}));
            }
        }
    }
    let json = if values.len() == 1 {
        values.remove(0)
    } else {
        json!({"capabilities": values})
    };
    answer::success(texts.join("\n\n"), &json, style)
}

struct Asked {
    capabilities: Vec<String>,
    /// As the signature of a function that code calls.
    as_typescript: bool,
}

/// How many are explained in one answer.
const MOST_AT_ONCE: usize = 20;

fn parse(given: Map<String, Value>) -> Result<Asked, ResultError> {
    let mut arguments = Arguments::new(NAME, given);
    let missing = |arguments: &Arguments| {
        let missing = arguments.missing("capability", "the id of a capability, such as issue.view");
        missing.with_detail("mend", json!({"tool": "search", "arguments": {}}))
    };
    let is_list = arguments.read(|fields| Ok(fields.is_list(CAPABILITY[0])))?;
    let capabilities = if is_list {
        let names = arguments.read(|fields| {
            fields.take_as::<Vec<String>>(CAPABILITY[0], "an id, or a list of ids")
        })?;
        names.unwrap_or_default()
    } else {
        arguments.take_name(&CAPABILITY)?.into_iter().collect()
    };
    if capabilities.is_empty() {
        return Err(missing(&arguments));
    }
    if capabilities.len() > MOST_AT_ONCE {
        let problem = format!("names too many: expected at most {MOST_AT_ONCE} at once");
        return Err(arguments.refuse(CAPABILITY[0], &problem));
    }
    let as_typescript = match arguments.take_text(&["format"])?.as_deref() {
        None => false,
        Some("ts") => true,
        Some(_) => {
            return Err(arguments.refuse("format", "is unknown: expected \"ts\", or nothing"));
        }
    };
    arguments.finish(&["capability", "format"], "")?;
    Ok(Asked {
        capabilities,
        as_typescript,
    })
}

/// The form as a line, what it is, and what it answers with.
fn text(capstan: &Capstan, explanation: &Explanation) -> String {
    let operation = match explanation.operation {
        Operation::Read => "read",
        Operation::Write => "write",
    };
    let kind = match explanation.kind {
        Kind::Card => String::new(),
        kind => format!("{}, ", kind.as_str()),
    };
    let id = &explanation.capability_id;
    let form = capstan.words().form(id);
    let is_card = form.is_some();
    let mut lines = vec![
        form.unwrap_or_else(|| id.clone()),
        format!("{kind}{operation}: {}", explanation.description),
    ];
    let mut add = |title: &str, text: String| {
        if !text.is_empty() {
            lines.push(format!("{title}: {text}"));
        }
    };
    // A form says them already.
    if !is_card {
        add("required", parameters(&explanation.required));
        add("optional", parameters(&explanation.optional));
    }
    add("output", explanation.output.join(", "));
    add("calls", explanation.calls.join(", "));
    if let Some(example) = &explanation.example {
        match capstan.words().line(id, example) {
            Some(line) => add("example", line),
            None => add("example input", Value::Object(example.clone()).to_string()),
        }
    }
    add("notes", explanation.notes.join("; "));
    add(
        "deprecated",
        explanation.deprecated.clone().unwrap_or_default(),
    );
    lines.join("\n")
}

/// `owner string, repo string`
pub(in crate::mcp) fn parameters(parameters: &IndexMap<String, Parameter>) -> String {
    let all: Vec<_> = parameters
        .iter()
        .map(|(name, Parameter(kind))| format!("{name} {kind}"))
        .collect();
    all.join(", ")
}
