//! What a run that went well says about the parameters: nothing that it did without is required.

use serde_json::{Map, Value};

/// The schema with the requirements that the run did not refute.
pub(super) fn without_refuted(mut schema: Value, args: &Map<String, Value>) -> Value {
    if let Some(object) = schema.as_object_mut()
        && let Some(Value::Array(required)) = object.get_mut("required")
    {
        required.retain(|name| name.as_str().is_some_and(|name| args.contains_key(name)));
        if required.is_empty() {
            object.shift_remove("required");
        }
    }
    schema
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::without_refuted;

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
