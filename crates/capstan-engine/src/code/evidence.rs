//! What a run that went well says about the parameters: nothing that it did without is required, and
//! what it was given is allowed.

use serde_json::{Map, Value};

use crate::schemas::fits;

/// The schema without what the run refuted.
pub(super) fn without_refuted(mut schema: Value, args: &Map<String, Value>) -> Value {
    if let Some(object) = schema.as_object_mut()
        && let Some(Value::Array(required)) = object.get_mut("required")
    {
        required.retain(|name| name.as_str().is_some_and(|name| args.contains_key(name)));
        if required.is_empty() {
            object.shift_remove("required");
        }
    }
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, property) in properties.into_iter().flatten() {
        let Some(given) = args.get(name) else {
            continue;
        };
        let allowed = fits(property, given);
        if let Some(property) = property.as_object_mut().filter(|_| !allowed) {
            // Only what is known to be wrong goes; a default is still one.
            property.retain(|keyword, _| matches!(keyword.as_str(), "default" | "description"));
        }
    }
    schema
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::without_refuted;

    #[test]
    fn what_a_good_run_was_given_is_allowed() {
        let schema = json!({"type": "object", "properties": {
            "n": {"type": ["number", "null"], "default": 1},
            "m": {"type": "string"},
        }});
        let args = json!({"n": "many", "m": "x"});
        assert_eq!(
            without_refuted(schema, args.as_object().unwrap())["properties"],
            json!({"n": {"default": 1}, "m": {"type": "string"}})
        );
    }

    #[test]
    fn what_a_good_run_lacked_is_not_required() {
        let schema = json!({"type": "object", "required": ["a", "b"], "properties": {}});
        let args = json!({"a": 1, "c": 2});
        assert_eq!(
            without_refuted(schema.clone(), args.as_object().unwrap())["required"],
            json!(["a"])
        );
        let none = without_refuted(schema, json!({}).as_object().unwrap());
        assert_eq!(none.get("required"), None);
    }
}
