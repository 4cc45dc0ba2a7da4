//! Capabilities as they travel between stores, as JSON.

use serde_json::{Value, json};

use capstan_core::code::{Capability, LONGEST_INTENT, Namespace, Script, Visibility};
use capstan_core::port::Exported;

use crate::local::input;

/// One capability in an export. Its hash is not told: whoever imports it finds out.
pub(super) fn write(capability: &Capability) -> Value {
    let (record, pattern) = (&capability.record, &capability.pattern);
    let aliases: Vec<_> = record.aliases.iter().map(|alias| alias.as_str()).collect();
    json!({
        "name": record.name.as_str(),
        "aliases": aliases,
        "visibility": record.visibility,
        "intent": pattern.intent,
        "parameters": pattern.parameters,
        "code": pattern.code,
    })
}

/// The schema of one.
pub(super) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "aliases": {"type": "array", "items": {"type": "string"}},
            "visibility": {"enum": ["private", "project", "org", "public"]},
            "intent": {"type": "string", "maxLength": LONGEST_INTENT},
            "parameters": {"type": "object"},
            "code": {"type": "string"},
        },
        "required": ["name", "code", "intent"],
        "additionalProperties": false,
    })
}

/// Reads one that fits the schema; `script` is what its code turned out to be. The error names the
/// field.
pub(super) fn read(item: &Value, script: &Script) -> Result<Exported, String> {
    let text = |field: &str| item.get(field).and_then(Value::as_str).unwrap_or_default();
    let aliases = item.get("aliases").and_then(Value::as_array);
    let aliases = aliases.into_iter().flatten().filter_map(Value::as_str);
    let calls: Vec<_> = script.calls.iter().map(|call| call.capability()).collect();
    Ok(Exported {
        name: input::new_name(text("name"))?,
        aliases: aliases.map(input::new_name).collect::<Result<_, _>>()?,
        namespace: Namespace::of(&script.calls).to_string(),
        visibility: text("visibility").parse().unwrap_or(Visibility::Private),
        hash: script.hash.clone(),
        code: text("code").to_owned(),
        intent: text("intent").to_owned(),
        parameters: corrected(script.parameters.clone(), item.get("parameters")),
        calls,
    })
}

/// The parameters as the code has them. Of what is told only one thing is believed: that runs did
/// without something. Defaults decide where a write goes, so they come from the code alone.
fn corrected(mut own: Value, told: Option<&Value>) -> Value {
    let Some(told) = told else {
        return own;
    };
    let told = told.get("required").and_then(Value::as_array);
    let told = told.map(Vec::as_slice).unwrap_or_default();
    if let Some(fields) = own.as_object_mut()
        && let Some(Value::Array(required)) = fields.get_mut("required")
    {
        required.retain(|name| told.contains(name));
        if required.is_empty() {
            fields.shift_remove("required");
        }
    }
    own
}
