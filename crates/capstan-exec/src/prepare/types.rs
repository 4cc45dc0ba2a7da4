//! The types that JSON Schemas of cards give to a place: enough to refuse a reference that cannot fit before anything is
//! sent. What a schema leaves open is checked when the value is known.

use serde_json::Value;

use capstan_core::expr::Segment;

/// The type of a value, as far as a schema says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Type<'a> {
    /// `integer`, `string`, …; empty if the schema leaves it open.
    kinds: Option<Vec<&'a str>>,
    /// The allowed values, if the schema lists them.
    values: Option<Vec<&'a Value>>,
    /// The type of the elements of an array.
    items: Option<Box<Type<'a>>>,
}

/// Returns the type at a path in a value of the schema.
pub(super) fn at_path<'a>(schema: &'a Value, segments: &[Segment]) -> Result<Type<'a>, String> {
    let Some((segment, rest)) = segments.split_first() else {
        return Ok(of(schema));
    };
    let kinds = of(schema).kinds;
    let can_be = |kind: &str| kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind));
    match segment {
        Segment::Key(key) if can_be("object") => {
            let properties = schema.get("properties").and_then(Value::as_object);
            match properties.and_then(|properties| properties.get(key)) {
                Some(property) => at_path(property, rest),
                None if schema.get("additionalProperties") == Some(&Value::Bool(false)) => {
                    let known: Vec<_> = properties
                        .into_iter()
                        .flat_map(|properties| properties.keys().map(String::as_str))
                        .collect();
                    Err(format!(
                        "there is no `{key}`: expected one of {}",
                        known.join(", ")
                    ))
                }
                None => Ok(open()),
            }
        }
        Segment::Index(_) if can_be("array") => match schema.get("items") {
            Some(items) => at_path(items, rest),
            None => Ok(open()),
        },
        Segment::Each if can_be("array") => {
            let items = match schema.get("items") {
                Some(items) => at_path(items, rest)?,
                None => open(),
            };
            Ok(Type {
                kinds: Some(vec!["array"]),
                values: None,
                items: Some(Box::new(items)),
            })
        }
        Segment::Key(key) => Err(format!(
            "`{key}` cannot be read from a value that is not an object"
        )),
        Segment::Index(_) | Segment::Each => {
            Err("an element cannot be read from a value that is not an array".to_owned())
        }
    }
}

/// Returns the type that a schema expects at a JSON pointer; open if it does not say.
pub(super) fn at_pointer<'a>(schema: &'a Value, pointer: &str) -> Type<'a> {
    let mut at = schema;
    for token in pointer.split('/').skip(1) {
        let name = token.replace("~1", "/").replace("~0", "~");
        let property = at.get("properties").and_then(|all| all.get(&name));
        let item = || token.parse::<usize>().ok().and(at.get("items"));
        match property.or_else(item) {
            Some(inner) => at = inner,
            None => return open(),
        }
    }
    of(at)
}

/// Checks that every value of one type, except null, is a value of the other.
pub(super) fn assignable(found: &Type<'_>, wanted: Type<'_>) -> Result<(), String> {
    if let (Some(found_values), Some(wanted_values)) = (&found.values, &wanted.values) {
        let fits = |value: &&&Value| value.is_null() || wanted_values.contains(*value);
        if let Some(stray) = found_values.iter().find(|value| !fits(value)) {
            let wanted: Vec<_> = wanted_values.iter().map(ToString::to_string).collect();
            return Err(format!(
                "may be {stray}, but {} is expected here",
                wanted.join(" or ")
            ));
        }
        return Ok(());
    }
    let (Some(found_kinds), Some(wanted_kinds)) = (&found.kinds, &wanted.kinds) else {
        return Ok(());
    };
    let fits = |kind: &str| {
        kind == "null"
            || wanted_kinds.contains(&kind)
            || (kind == "integer" && wanted_kinds.contains(&"number"))
    };
    if !found_kinds.iter().all(|kind| fits(kind)) {
        return Err(format!(
            "is {}, but {} is expected here",
            found_kinds.join(" or "),
            wanted_kinds.join(" or ")
        ));
    }
    match (&found.items, wanted.items) {
        (Some(found), Some(wanted)) => {
            assignable(found, *wanted).map_err(|problem| format!("has an element that {problem}"))
        }
        _ => Ok(()),
    }
}

fn open<'a>() -> Type<'a> {
    Type {
        kinds: None,
        values: None,
        items: None,
    }
}

fn of(schema: &Value) -> Type<'_> {
    let values: Option<Vec<&Value>> = match (schema.get("const"), schema.get("enum")) {
        (Some(only), _) => Some(vec![only]),
        (None, Some(Value::Array(values))) => Some(values.iter().collect()),
        _ => None,
    };
    let kinds = match schema.get("type") {
        Some(Value::String(kind)) => Some(vec![kind.as_str()]),
        Some(Value::Array(kinds)) => Some(kinds.iter().filter_map(Value::as_str).collect()),
        _ => values.as_ref().map(|values| {
            let mut kinds: Vec<_> = values.iter().map(|value| kind(value)).collect();
            kinds.sort_unstable();
            kinds.dedup();
            kinds
        }),
    };
    let is_array = kinds.as_ref().is_some_and(|kinds| kinds.contains(&"array"));
    let items = schema.get("items").filter(|_| is_array);
    Type {
        kinds,
        values,
        items: items.map(|items| Box::new(of(items))),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use capstan_core::expr::Expr;
    use serde_json::json;

    fn output() -> Value {
        json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "number": {"type": "integer"},
                "state": {"enum": ["open", "closed"]},
                "milestone": {"type": ["string", "null"]},
                "labels": {"type": "array", "items": {"type": "string"}},
                "rows": {"type": "array", "items": {
                    "type": "object",
                    "properties": {"id": {"type": "string"}}
                }},
                "extra": {}
            }
        })
    }

    fn found(path: &str) -> Result<Type<'static>, String> {
        let schema = Box::leak(Box::new(output()));
        let Ok(Expr::Path(path)) = Expr::parse(path) else {
            return Err("not a path".to_owned());
        };
        at_path(schema, &path.segments)
    }

    /// What is said about a value at a path of the output that goes where the schema is.
    fn check(path: &str, wanted: Value) -> String {
        let wanted = Box::leak(Box::new(wanted));
        match found(path).and_then(|found| assignable(&found, of(wanted))) {
            Ok(()) => "fits".to_owned(),
            Err(problem) => problem,
        }
    }

    #[test]
    fn what_fits_fits() {
        for (path, wanted) in [
            ("number", json!({"type": "integer"})),
            ("number", json!({"type": "number"})),
            ("number", json!({"type": ["integer", "null"]})),
            ("number", json!({})),
            ("state", json!({"type": "string"})),
            ("state", json!({"enum": ["closed", "open", "all"]})),
            ("milestone", json!({"type": "string"})),
            (
                "labels",
                json!({"type": "array", "items": {"type": "string"}}),
            ),
            ("labels[0]", json!({"type": "string"})),
            (
                "rows[].id",
                json!({"type": "array", "items": {"type": "string"}}),
            ),
            ("rows[0].other", json!({"type": "integer"})),
            ("extra", json!({"type": "integer"})),
            ("extra.deep.down", json!({"type": "integer"})),
        ] {
            assert_eq!(check(path, wanted.clone()), "fits", "{path} → {wanted}");
        }
    }

    #[test]
    fn what_cannot_fit_is_said() {
        for (path, wanted, said) in [
            (
                "number",
                json!({"type": "string"}),
                "is integer, but string is expected here",
            ),
            (
                "labels",
                json!({"type": "string"}),
                "is array, but string is expected here",
            ),
            (
                "rows[].id",
                json!({"type": "array", "items": {"type": "integer"}}),
                "has an element that is string, but integer is expected here",
            ),
            (
                "state",
                json!({"enum": ["open"]}),
                "may be \"closed\", but \"open\" is expected here",
            ),
            (
                "numbre",
                json!({}),
                "there is no `numbre`: expected one of number, state, milestone, labels, rows, extra",
            ),
            (
                "number.x",
                json!({}),
                "`x` cannot be read from a value that is not an object",
            ),
            (
                "number[0]",
                json!({}),
                "an element cannot be read from a value that is not an array",
            ),
        ] {
            assert_eq!(check(path, wanted), said, "{path}");
        }
    }
}
