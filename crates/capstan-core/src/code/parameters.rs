//! What runs teach about the parameters of code. The schema is inferred from how the code reads
//! `args`, so parts of it are guesses, and a successful run may refute some of them.

use serde_json::{Map, Value};

/// The parts of a schema that a successful run refuted. Applying it only allows more, and the order
/// of several does not matter, so simultaneous runs lose nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relaxation {
    /// Required parameters that the run did not have.
    pub absent: Vec<String>,
    /// Parameters whose value had a type that the schema does not allow.
    pub wider: Vec<WiderParameter>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WiderParameter {
    pub name: String,
    /// The JSON type to allow beside the others; `None` if the type alone is not the problem, and
    /// any value is allowed from now on.
    pub json_type: Option<String>,
}

impl Relaxation {
    pub fn is_empty(&self) -> bool {
        self.absent.is_empty() && self.wider.is_empty()
    }

    /// Relaxes a schema of parameters. Returns whether that changed it.
    pub fn apply(&self, schema: &mut Value) -> bool {
        let Some(schema) = schema.as_object_mut() else {
            return false;
        };
        let mut changed = false;
        if let Some(Value::Array(required)) = schema.get_mut("required") {
            let before = required.len();
            required.retain(|name| !self.absent.iter().any(|absent| name == absent));
            changed = required.len() != before;
            if required.is_empty() {
                schema.shift_remove("required");
            }
        }
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        let Some(properties) = properties else {
            return changed;
        };
        for wider in &self.wider {
            if let Some(Value::Object(property)) = properties.get_mut(&wider.name) {
                changed |= match &wider.json_type {
                    Some(json_type) => allow_type(property, json_type),
                    None => allow_anything(property),
                };
            }
        }
        changed
    }
}

/// The key in the schema of a parameter with a default that marks its type as declared by the code.
/// Without it, the type is a guess from the default.
pub const DECLARED: &str = "x-declared";

/// Returns a schema without guessed types: those that follow only from a default or from what is
/// read of a value. No call is refused because of these. Declared types stay.
pub fn without_guessed_types(schema: &Value) -> Value {
    let mut schema = schema.clone();
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(Map::values_mut) {
        forget_guesses(property);
    }
    schema
}

/// Returns JSON Schema's name for the type of a value.
pub fn json_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn forget_guesses(property: &mut Value) {
    let Some(fields) = property.as_object_mut() else {
        return;
    };
    let guessed = match fields.get("default") {
        Some(default) => Some(json_type(default)),
        None => fields.contains_key("properties").then_some("object"),
    };
    // Runs may have added types since: a widened guess is still a guess.
    let is_guess = |named: &Value| guessed.is_some_and(|guessed| named.as_str() == Some(guessed));
    let has_guess = match fields.get("type") {
        Some(Value::Array(types)) => types.iter().any(is_guess),
        Some(one) => is_guess(one),
        None => false,
    };
    let is_declared = fields.shift_remove(DECLARED).is_some()
        || ["enum", "items", "anyOf"]
            .iter()
            .any(|keyword| fields.contains_key(*keyword));
    if has_guess && !is_declared {
        fields.shift_remove("type");
    }
    let below = fields.get_mut("properties").and_then(Value::as_object_mut);
    for property in below.into_iter().flat_map(Map::values_mut) {
        forget_guesses(property);
    }
}

fn allow_type(property: &mut Map<String, Value>, json_type: &str) -> bool {
    match property.get_mut("type") {
        Some(Value::Array(types)) => {
            let is_new = !types.iter().any(|known| known == json_type);
            if is_new {
                types.push(json_type.into());
            }
            is_new
        }
        Some(one) if one != json_type => {
            *one = Value::Array(vec![one.clone(), json_type.into()]);
            true
        }
        _ => false,
    }
}

/// Removes only what is known to be wrong; the default stays.
fn allow_anything(property: &mut Map<String, Value>) -> bool {
    let before = property.len();
    property.retain(|keyword, _| matches!(keyword.as_str(), "default" | "description"));
    property.len() != before
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn wider(name: &str, json_type: Option<&str>) -> WiderParameter {
        WiderParameter {
            name: name.to_owned(),
            json_type: json_type.map(str::to_owned),
        }
    }

    #[test]
    fn relaxations_commute_and_are_applied_once() {
        let schema = json!({"type": "object", "required": ["a", "b"], "properties": {
            "a": {"type": "number"},
            "b": {"type": ["string", "null"], "default": "x"},
            "c": {"type": "array", "items": {"type": "string"}},
        }});
        let one = Relaxation {
            absent: vec!["a".to_owned()],
            wider: vec![wider("a", Some("string")), wider("c", None)],
        };
        let other = Relaxation {
            absent: vec!["b".to_owned(), "nobody".to_owned()],
            wider: vec![wider("b", Some("number")), wider("a", Some("string"))],
        };
        let (mut first, mut second) = (schema.clone(), schema);
        assert!(one.apply(&mut first) && other.apply(&mut first));
        assert!(other.apply(&mut second) && one.apply(&mut second));
        assert_eq!(first, second);
        assert!(!one.apply(&mut first) && !other.apply(&mut first));
        assert_eq!(
            first,
            json!({"type": "object", "properties": {
                "a": {"type": ["number", "string"]},
                "b": {"type": ["string", "null", "number"], "default": "x"},
                "c": {},
            }})
        );
    }

    #[test]
    fn what_code_declares_is_no_guess() {
        let schema = json!({"type": "object", "required": ["a"], "properties": {
            "a": {"type": "string"},
            "days": {"type": ["number", "null"], "default": 30},
            "hours": {"type": ["number", "null", "array"], "default": 30},
            "n": {"type": ["number", "null"], "default": 5, "x-declared": true},
            "mode": {"type": ["string", "null"], "enum": ["x", "y", null], "default": "x"},
            "user": {"type": "object", "properties": {"n": {"type": ["number", "null"], "default": 1}}},
            "team": {"type": ["object", "string"], "properties": {"n": {}}},
            "names": {"type": "array", "items": {"type": "string"}},
        }});
        assert_eq!(
            without_guessed_types(&schema),
            json!({"type": "object", "required": ["a"], "properties": {
                "a": {"type": "string"},
                "days": {"default": 30},
                "hours": {"default": 30},
                "n": {"type": ["number", "null"], "default": 5},
                "mode": {"type": ["string", "null"], "enum": ["x", "y", null], "default": "x"},
                "user": {"properties": {"n": {"default": 1}}},
                "team": {"properties": {"n": {}}},
                "names": {"type": "array", "items": {"type": "string"}},
            }})
        );
    }
}
