//! Learns about parameters from successful runs: a parameter that was absent is not required, and a value that was
//! given is allowed.

use serde_json::{Map, Value};

use capstan_core::code::{Relaxation, WiderParameter, json_type};

use capstan_exec::fits;

/// Returns how the schema must be relaxed to allow the arguments of a successful run. Null counts as absent.
pub(super) fn relaxation(schema: &Value, args: &Map<String, Value>) -> Relaxation {
    let required = schema.get("required").and_then(Value::as_array);
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    let absent = required
        .filter(|name| args.get(*name).is_none_or(Value::is_null))
        .map(str::to_owned);
    let properties = schema.get("properties").and_then(Value::as_object);
    let wider = properties.into_iter().flatten();
    let wider = wider.filter_map(|(name, property)| Some((name, property, args.get(name)?)));
    let wider = wider
        .filter(|(_, property, given)| !fits(property, given))
        .map(|(name, property, given)| wider_parameter(name, property, given));
    Relaxation {
        absent: absent.collect(),
        wider: wider.collect(),
    }
}

/// Returns the schema, relaxed to allow the arguments of a successful run.
pub(super) fn relaxed_schema(mut schema: Value, args: &Map<String, Value>) -> Value {
    relaxation(&schema, args).apply(&mut schema);
    schema
}

/// Returns how one parameter must be widened: by the type of the value, or without a type if that is not enough.
fn wider_parameter(name: &str, property: &Value, given: &Value) -> WiderParameter {
    let by_type = WiderParameter {
        name: name.to_owned(),
        json_type: Some(json_type(given).to_owned()),
    };
    let relaxation = Relaxation {
        wider: vec![by_type.clone()],
        ..Relaxation::default()
    };
    let properties = Map::from_iter([(name.to_owned(), property.clone())]);
    let mut schema = serde_json::json!({"properties": properties});
    relaxation.apply(&mut schema);
    if fits(&schema["properties"][name], given) {
        by_type
    } else {
        WiderParameter {
            json_type: None,
            ..by_type
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::relaxed_schema;

    #[test]
    fn what_a_good_run_was_given_is_allowed() {
        let schema = json!({"type": "object", "properties": {
            "n": {"type": ["number", "null"], "default": 1},
            "m": {"type": "string"},
            "o": {"type": "array", "items": {"type": "string"}, "default": []},
        }});
        let args = json!({"n": "many", "m": "x", "o": [1]});
        assert_eq!(
            relaxed_schema(schema, args.as_object().unwrap())["properties"],
            json!({
                "n": {"type": ["number", "null", "string"], "default": 1},
                "m": {"type": "string"},
                "o": {"default": []},
            })
        );
    }

    #[test]
    fn what_a_good_run_lacked_is_not_required() {
        let schema = json!({"type": "object", "required": ["a", "b"], "properties": {}});
        let args = json!({"a": 1, "c": 2});
        assert_eq!(
            relaxed_schema(schema.clone(), args.as_object().unwrap())["required"],
            json!(["a"])
        );
        let none = relaxed_schema(schema, json!({}).as_object().unwrap());
        assert_eq!(none.get("required"), None);
    }
}
