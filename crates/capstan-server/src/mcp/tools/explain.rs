//! `explain`: compact summaries of capabilities, each sufficient for a correct first call.

use indexmap::IndexMap;
use rmcp::model::CallToolResult;
use serde_json::{Map, Value, json};

use capstan_core::ResultError;
use capstan_core::card::{Kind, Operation};
use capstan_engine::{Capstan, Explanation, Parameter};
use capstan_wire::CAPABILITY;

use crate::mcp::arguments::ToolArguments;
use crate::mcp::tool_result::{self, ResultStyle};

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
    style: ResultStyle,
) -> CallToolResult {
    let ExplainCall {
        capabilities,
        as_typescript,
    } = match parse(given) {
        Ok(call) => call,
        Err(error) => return tool_result::from_error(capstan, "", error, style),
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
                (explanation_text(capstan, &it), json)
            })
        };
        match explained {
            Ok((text, value)) => {
                texts.push(text);
                values.push(value);
            }
            Err(error) if capabilities.len() == 1 => {
                return tool_result::from_error(capstan, capability, error, style);
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
    tool_result::from_text(texts.join("\n\n"), &json, style)
}

struct ExplainCall {
    capabilities: Vec<String>,
    /// Whether to return the signatures of the functions that code calls.
    as_typescript: bool,
}

/// How many capabilities one call may name.
const MAX_CAPABILITIES: usize = 20;

fn parse(given: Map<String, Value>) -> Result<ExplainCall, ResultError> {
    let mut arguments = ToolArguments::new(NAME, given);
    let is_list = arguments.take_with(|fields| Ok(fields.is_list(CAPABILITY[0])))?;
    let capabilities = if is_list {
        let names = arguments.take_with(|fields| {
            fields.take_as::<Vec<String>>(CAPABILITY[0], "an id, or a list of ids")
        })?;
        names.unwrap_or_default()
    } else {
        arguments.take_name(&CAPABILITY)?.into_iter().collect()
    };
    if capabilities.is_empty() {
        let missing = arguments.missing("capability", "the id of a capability, such as issue.view");
        return Err(missing.with_detail("mend", json!({"tool": "search", "arguments": {}})));
    }
    if capabilities.len() > MAX_CAPABILITIES {
        let problem = format!("names too many capabilities: expected at most {MAX_CAPABILITIES}");
        return Err(arguments.problem(CAPABILITY[0], &problem));
    }
    let as_typescript = match arguments.take_text(&["format"])?.as_deref() {
        None => false,
        Some("ts") => true,
        Some(_) => {
            return Err(arguments.problem("format", "must be \"ts\", or left out"));
        }
    };
    arguments.finish(&["capability", "format"], "")?;
    Ok(ExplainCall {
        capabilities,
        as_typescript,
    })
}

/// Returns the form of the capability as a line, its kind and description, and its output.
fn explanation_text(capstan: &Capstan, explanation: &Explanation) -> String {
    let operation = match explanation.operation {
        Operation::Read => "read",
        Operation::Write => "write",
    };
    let kind = match explanation.kind {
        Kind::Card => String::new(),
        kind => format!("{}, ", kind.as_str()),
    };
    let id = &explanation.capability_id;
    let has_all = explanation.more_optional == 0;
    let is_shown = |name: &str| has_all || explanation.optional.contains_key(name);
    let form = capstan.words().form_with(id, is_shown);
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
    // The form of a card already shows its parameters.
    if !is_card {
        add("required", parameter_list(&explanation.required));
        add("optional", parameter_list(&explanation.optional));
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

/// Lists parameters with their types, such as `owner string, repo string`.
pub(in crate::mcp) fn parameter_list(parameters: &IndexMap<String, Parameter>) -> String {
    let all: Vec<_> = parameters
        .iter()
        .map(|(name, Parameter(kind))| format!("{name} {kind}"))
        .collect();
    all.join(", ")
}
