//! The JSON format in which capabilities are exported and imported.

use serde_json::{Value, json};

use capstan_core::code::{Capability, LONGEST_INTENT, Namespace, Script, Visibility};
use capstan_core::port::Exported;

use crate::local::input;

/// Returns a capability as exported. The hash is left out, because the import computes it.
pub(super) fn to_json(capability: &Capability) -> Value {
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

/// Returns the schema of an exported capability.
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

/// Reads an exported capability that fits the schema; `script` is its parsed code. The error names the field.
pub(super) fn from_json(item: &Value, script: &Script) -> Result<Exported, String> {
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
        parameters: with_imported_required(script.parameters.clone(), item.get("parameters")),
        calls,
    })
}

/// Returns the parameters as the code has them. Only one fact of the imported schema is used: which parameters are
/// not required, because runs did without them. Defaults decide where a write goes, so they come from the code alone.
fn with_imported_required(mut own: Value, imported: Option<&Value>) -> Value {
    let Some(imported) = imported else {
        return own;
    };
    let still_required = imported.get("required").and_then(Value::as_array);
    let still_required = still_required.map(Vec::as_slice).unwrap_or_default();
    if let Some(fields) = own.as_object_mut()
        && let Some(Value::Array(required)) = fields.get_mut("required")
    {
        required.retain(|name| still_required.contains(name));
        if required.is_empty() {
            fields.shift_remove("required");
        }
    }
    own
}
