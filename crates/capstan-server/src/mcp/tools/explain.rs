//! `explain`: a compact summary of one capability, enough for a right first call.

use indexmap::IndexMap;
use rmcp::model::CallToolResult;
use serde_json::{Map, Value, json};

use capstan_core::ResultError;
use capstan_core::card::{Kind, Operation};
use capstan_engine::{Capstan, Explanation, Parameter};

use crate::mcp::answer;
use crate::mcp::arguments::Arguments;
use crate::wire::CAPABILITY;

pub(in crate::mcp) const NAME: &str = "explain";
pub(in crate::mcp) const DESCRIPTION: &str =
    "Parameters, output fields and an example of a capability.";

pub(in crate::mcp) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"capability": {"type": "string"}, "format": {"enum": ["ts"]}},
        "required": ["capability"]
    })
}

pub(in crate::mcp) async fn call(capstan: &Capstan, given: Map<String, Value>) -> CallToolResult {
    let Asked {
        capability,
        as_typescript,
    } = match parse(given) {
        Ok(asked) => asked,
        Err(error) => return answer::failure(capstan, "", error),
    };
    if as_typescript {
        return match capstan.signature(&capability).await {
            Ok(text) => {
                let json = json!({"capability_id": capability, "typescript": &text});
                answer::success(text, json)
            }
            Err(error) => answer::failure(capstan, &capability, error),
        };
    }
    match capstan.explain(&capability).await {
        Ok(explanation) => answer::success(
            text(&explanation),
            serde_json::to_value(&explanation).unwrap_or_default(),
        ),
        Err(error) => answer::failure(capstan, &capability, error),
    }
}

struct Asked {
    capability: String,
    /// As the signature of a function that code calls.
    as_typescript: bool,
}

fn parse(given: Map<String, Value>) -> Result<Asked, ResultError> {
    let mut arguments = Arguments::new(NAME, given);
    let Some(capability) = arguments.take_name(&CAPABILITY)? else {
        return Err(arguments
            .missing("capability", "the id of a capability, such as issue.view")
            .with_detail("mend", json!({"tool": "search", "arguments": {}})));
    };
    let as_typescript = match arguments.take_text(&["format"])?.as_deref() {
        None => false,
        Some("ts") => true,
        Some(_) => {
            return Err(arguments.refuse("format", "is unknown: expected \"ts\", or nothing"));
        }
    };
    arguments.finish(&["capability", "format"], "")?;
    Ok(Asked {
        capability,
        as_typescript,
    })
}

/// The same as the JSON, without the marks that only a parser needs.
fn text(explanation: &Explanation) -> String {
    let operation = match explanation.operation {
        Operation::Read => "read",
        Operation::Write => "write",
    };
    let kind = match explanation.kind {
        Kind::Card => String::new(),
        kind => format!("{}, ", kind.as_str()),
    };
    let mut lines = vec![format!(
        "{} ({kind}{operation}): {}",
        explanation.capability_id, explanation.description
    )];
    let mut add = |title: &str, text: String| {
        if !text.is_empty() {
            lines.push(format!("{title}: {text}"));
        }
    };
    add("required", parameters(&explanation.required));
    add("optional", parameters(&explanation.optional));
    add("output", explanation.output.join(", "));
    add("calls", explanation.calls.join(", "));
    if let Some(example) = &explanation.example {
        add("example input", Value::Object(example.clone()).to_string());
    }
    let routes: Vec<_> = explanation
        .routes
        .iter()
        .filter(|route| route.is_github())
        .map(|route| route.as_str())
        .collect();
    add("routes", routes.join(", "));
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
