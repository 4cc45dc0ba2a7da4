//! What a run that went well says about the parameters: nothing that it did without is required, and
//! what it was given is allowed.

use serde_json::{Map, Value};

use capstan_core::code::{Relaxation, WiderParameter, json_type};

use capstan_exec::fits;

/// What the run refuted of the schema. A given null is the way to say that there is nothing to give.
pub(super) fn refuted(schema: &Value, args: &Map<String, Value>) -> Relaxation {
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

/// The schema without what the run refuted.
pub(super) fn without_refuted(mut schema: Value, args: &Map<String, Value>) -> Value {
    refuted(&schema, args).apply(&mut schema);
    schema
}

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
    let is_enough = fits(&schema["properties"][name], given);
    WiderParameter {
        json_type: by_type.json_type.filter(|_| is_enough),
        ..by_type
    }
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
            "o": {"type": "array", "items": {"type": "string"}, "default": []},
        }});
        let args = json!({"n": "many", "m": "x", "o": [1]});
        assert_eq!(
            without_refuted(schema, args.as_object().unwrap())["properties"],
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
            without_refuted(schema.clone(), args.as_object().unwrap())["required"],
            json!(["a"])
        );
        let none = without_refuted(schema, json!({}).as_object().unwrap());
        assert_eq!(none.get("required"), None);
    }
}
