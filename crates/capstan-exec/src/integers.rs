//! Whole numbers. In JSON `1.0` and `1e2` are `1` and `100`, but GitHub and addresses distinguish them.

use serde_json::{Number, Value};

use capstan_core::code::shown_name;

/// The largest whole number up to which floating-point numbers are exact.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// Rewrites every whole number as an integer: `1.0` becomes `1`, `-0.0` becomes `0`.
pub(crate) fn normalize(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(whole) = whole(number) {
                *number = whole.into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(normalize),
        Value::Object(fields) => fields.values_mut().for_each(normalize),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// Returns the places where a schema expects an integer and the value is too large to be exact, with the problem.
pub(crate) fn inexact(schema: &Value, value: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    visit(schema, value, &mut Vec::new(), &mut found);
    found
}

fn whole(number: &Number) -> Option<i64> {
    let float = number.as_f64().filter(|_| number.is_f64())?;
    let is_exact = float.fract() == 0.0 && float.abs() <= LARGEST_EXACT;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "it is whole and within the exact range"
    )]
    is_exact.then_some(float as i64)
}

fn visit(schema: &Value, value: &Value, path: &mut Vec<String>, found: &mut Vec<(String, String)>) {
    match value {
        Value::Number(number) if number.is_f64() && wants_integer(schema) => {
            let is_whole = number.as_f64().is_some_and(|float| float.fract() == 0.0);
            // The schema itself refuses fractions.
            if is_whole && whole(number).is_none() {
                let problem = format!(
                    "is the number {number}, which is too large to be exact: expected an integer below 2^63"
                );
                found.push((path.join("."), problem));
            }
        }
        Value::Array(items) => {
            let Some(schema) = schema.get("items") else {
                return;
            };
            for (index, item) in items.iter().enumerate() {
                path.push(index.to_string());
                visit(schema, item, path, found);
                path.pop();
            }
        }
        Value::Object(fields) => {
            let Some(properties) = schema.get("properties") else {
                return;
            };
            for (name, field) in fields {
                if let Some(schema) = properties.get(name) {
                    path.push(shown_name(name).into_owned());
                    visit(schema, field, path, found);
                    path.pop();
                }
            }
        }
        _ => {}
    }
}

/// Whether a schema allows integers but no other numbers.
fn wants_integer(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::String(kind)) => kind == "integer",
        Some(Value::Array(kinds)) => {
            let has = |kind: &str| kinds.iter().any(|it| it == kind);
            has("integer") && !has("number")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn whole_numbers_are_written_as_such() {
        let mut value: Value = serde_json::from_str(
            r#"[1.0, 1e2, -0.0, -3.0, 9007199254740992.0, 1.5, 1e20, 18446744073709551615, {"a": [2.0]}]"#,
        )
        .unwrap();
        normalize(&mut value);
        assert_eq!(
            value.to_string(),
            r#"[1,100,0,-3,9007199254740992,1.5,1e+20,18446744073709551615,{"a":[2]}]"#
        );
    }

    #[test]
    fn what_cannot_be_exact_is_named_where_an_integer_is_wanted() {
        let schema = json!({"properties": {
            "n": {"type": "integer"},
            "many": {"type": "array", "items": {"type": ["integer", "null"]}},
            "any": {"type": "number"},
        }});
        let value: Value = serde_json::from_str(
            r#"{"n": 1e20, "many": [1, 123456789012345678901234567890], "any": 1e20}"#,
        )
        .unwrap();
        let found = inexact(&schema, &value);
        let fields: Vec<_> = found.iter().map(|(field, _)| field.as_str()).collect();
        assert_eq!(fields, ["n", "many.1"]);
        assert!(found[0].1.contains("1e+20"), "{found:?}");
    }
}
