//! The JSON Schema of skill files, for editors.

use serde_json::{Value, json};

/// Returns the schema that editors use for completion and validation. `capstan check` checks more.
pub fn file_schema() -> Value {
    let name =
        || json!({"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9._:-]*$", "maxLength": 100});
    let schema =
        || json!({"type": ["object", "boolean"], "description": "a JSON Schema (2020-12)"});
    let inputs = || {
        json!({
            "type": "object",
            "description": "values, and expressions such as $input.name or $step.output.field",
        })
    };
    let milliseconds = || json!({"type": "integer", "minimum": 1, "maximum": 600_000});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Capstan skill",
        "type": "object",
        "required": ["id", "level"],
        "additionalProperties": false,
        "properties": {
            "id": name(),
            "version": {"type": "string", "description": "three numbers, such as 1.2.0", "default": "1.0.0"},
            "level": {"enum": [1, 2, 3, "L1", "L2", "L3"]},
            "description": {"type": "string"},
            "intents": {"type": "array", "items": {"type": "string"}, "description": "ways people ask for it"},
            "card": {"type": "string", "description": "L1: a card, e.g. issue.view"},
            "tool": {"type": "string", "description": "L1: a tool of a downstream server, server.tool"},
            "capability": {"type": "string", "description": "L1: remembered code, by its name"},
            "code": {"type": "string", "description": "L1: TypeScript"},
            "composes": {
                "type": "array",
                "items": {"anyOf": [name(), {"$ref": "#/$defs/compose"}]},
            },
            "requires": {"type": "array", "items": {
                "type": "object",
                "required": ["skill", "version"],
                "additionalProperties": false,
                "properties": {"skill": name(), "version": {"$ref": "#/$defs/range"}},
            }},
            "input_schema": schema(),
            "output_schema": schema(),
            "outputs": inputs(),
            "effects": {"type": "array", "items": {"type": "string"}},
            "operation": {"enum": ["TRANSFORM", "READ", "WRITE"]},
            "execution": {"type": "array", "items": {"$ref": "#/$defs/block"}},
            "retry": {"$ref": "#/$defs/retry"},
            "timeout_ms": milliseconds(),
            "cache": {"const": "run", "description": "its result may be reused within one run"},
            "deprecated": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "since": {"type": "string"},
                    "sunset": {"type": "string", "format": "date"},
                    "use": {"type": "string"},
                },
            },
            "changelog": {
                "type": ["object", "array"],
                "additionalProperties": {"type": "string"},
                "items": {"type": "object", "additionalProperties": {"type": "string"}},
            },
        },
        "$defs": {
            "range": {"type": "string", "description": "^1.2.0, ~1.2.0, >=1.2.0 or 1.2.3"},
            "compose": {
                "type": "object",
                "required": ["skill"],
                "additionalProperties": false,
                "properties": {
                    "skill": name(),
                    "as": name(),
                    "version": {"$ref": "#/$defs/range"},
                    "input_mapping": {"type": "object", "additionalProperties": {"type": "string"}},
                    "output_mapping": {"type": "object", "additionalProperties": {"type": "string"}},
                    "inputs": inputs(),
                },
            },
            "block": {
                "type": "object",
                "additionalProperties": false,
                "oneOf": [{"required": ["step"]}, {"required": ["parallel"]}],
                "properties": {
                    "step": name(),
                    "parallel": {"type": "array", "items": {"$ref": "#/$defs/block"}},
                    "inputs": inputs(),
                    "condition": {"type": ["string", "boolean"], "description": "e.g. $input.auto_post == true"},
                    "retry": {"$ref": "#/$defs/retry"},
                    "timeout_ms": milliseconds(),
                },
            },
            "retry": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "max_attempts": {"type": "integer", "minimum": 1, "maximum": 10, "default": 3},
                    "backoff": {"enum": ["none", "fixed", "linear", "exponential"], "default": "exponential"},
                    "delay_ms": {"type": "integer", "minimum": 0, "default": 500},
                    "retry_on": {"type": "array", "items": {
                        "enum": ["NetworkError", "RateLimitError", "ServerError", "TimeoutError"],
                    }},
                },
            },
        },
    })
}
