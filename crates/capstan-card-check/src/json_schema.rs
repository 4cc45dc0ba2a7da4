//! Converts JSON Schemas to the checker's types, and checks whether every value of a type is valid
//! for a schema.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::Value;

use capstan_core::card::resolve_reference;

use crate::places::ReadTracker;
use crate::ty::{Absent, Kind, ObjectSource, Texts, Ty};

/// How deep schemas are followed. Schemas of cards are shallow. A cyclic reference ends here; the
/// limit is low enough that a cycle with branches ends soon.
const MAX_DEPTH: usize = 6;

/// Returns the type of the values that are valid for `schema`, an object. Its properties are
/// tracked in `places`.
pub(crate) fn object_type(schema: &Value, holder: ObjectSource, places: &mut ReadTracker) -> Ty {
    let mut fields = IndexMap::new();
    for (name, mut ty) in properties_type(schema, schema, holder, 0) {
        ty.place = Some(places.add(name.clone(), true));
        fields.insert(name, ty);
    }
    Ty::object(holder, fields)
}

/// Returns the type of the values that are valid for a part of `root`.
pub(crate) fn value_type(schema: &Value, root: &Value, holder: ObjectSource) -> Ty {
    type_at(schema, root, holder, 0)
}

/// Returns why some value of this type is invalid for `schema`. The caller checks absence.
pub(crate) fn fits(ty: &Ty, schema: &Value, root: &Value) -> Result<(), String> {
    fits_at(ty, schema, root, 0)
}

pub(crate) fn is_required(schema: &Value, name: &str) -> bool {
    schema
        .get("required")
        .and_then(Value::as_array)
        .is_some_and(|names| names.iter().any(|other| other == name))
}

pub(crate) fn allows_null(schema: &Value, root: &Value) -> bool {
    let null = Ty::from_value(&Value::Null);
    fits(&null, schema, root).is_ok()
}

fn properties_type(
    schema: &Value,
    root: &Value,
    holder: ObjectSource,
    depth: usize,
) -> IndexMap<String, Ty> {
    let mut fields = IndexMap::new();
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let mut ty = type_at(property, root, holder, depth + 1);
        let filled_in = holder == ObjectSource::Input
            && resolve_reference(property, root).get("default").is_some();
        if !is_required(schema, name) && !filled_in {
            ty = ty.maybe_absent();
        }
        fields.insert(name.clone(), ty);
    }
    fields
}

fn type_at(schema: &Value, root: &Value, holder: ObjectSource, depth: usize) -> Ty {
    let schema = resolve_reference(schema, root);
    if depth > MAX_DEPTH {
        return Ty::any();
    }
    if let Some(value) = schema.get("const") {
        return Ty::from_value(value);
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let ty = values.iter().map(Ty::from_value).reduce(Ty::or);
        return ty.unwrap_or_else(Ty::any);
    }
    for choice in ["oneOf", "anyOf"] {
        let choices = schema.get(choice).and_then(Value::as_array);
        if let Some(choices) = choices
            && schema.get("type").is_none()
        {
            let types = choices
                .iter()
                .map(|choice| type_at(choice, root, holder, depth + 1));
            return types.reduce(Ty::or).unwrap_or_else(Ty::any);
        }
    }
    let names = match schema.get("type") {
        Some(Value::String(name)) => vec![name.as_str()],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => return Ty::any(),
    };
    let types = names.into_iter().map(|name| match name {
        "string" => Ty::text(),
        "integer" => Ty::from_kind(Kind::Integer),
        "number" => Ty::from_kind(Kind::Number),
        "boolean" => Ty::from_kind(Kind::Boolean),
        "null" => Ty::from_value(&Value::Null),
        "array" => Ty::list(match schema.get("items") {
            Some(items) => type_at(items, root, holder, depth + 1),
            None => Ty::any(),
        }),
        "object" if schema.get("properties").is_some() => {
            Ty::object(holder, properties_type(schema, root, holder, depth))
        }
        _ => Ty::any(),
    });
    types.reduce(Ty::or).unwrap_or_else(Ty::any)
}

fn fits_at(ty: &Ty, schema: &Value, root: &Value, depth: usize) -> Result<(), String> {
    let schema = resolve_reference(schema, root);
    if depth > MAX_DEPTH {
        return Ok(());
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(choices) = schema.get(choice).and_then(Value::as_array) {
            return fits_a_choice(ty, choices, root, depth);
        }
    }
    if ty.null {
        null_passes(schema)?;
    }
    match &ty.kind {
        Kind::OneOf(all) => all
            .iter()
            .try_for_each(|kind| passes(kind, schema, root, depth)),
        kind => passes(kind, schema, root, depth),
    }
}

/// Checks that each possible kind of the value is valid for one of the choices.
fn fits_a_choice(ty: &Ty, choices: &[Value], root: &Value, depth: usize) -> Result<(), String> {
    let null = Ty {
        null: true,
        ..Ty::from_kind(Kind::Nothing)
    };
    let kinds = ty
        .kind
        .clone()
        .alternatives()
        .into_iter()
        .map(Ty::from_kind);
    for alone in kinds.chain(ty.null.then_some(null)) {
        let passes = |choice: &Value| fits_at(&alone, choice, root, depth + 1).is_ok();
        if !choices.iter().any(passes) {
            return Err(format!("{} passes none of the choices", alone.kind.name()));
        }
    }
    Ok(())
}

fn null_passes(schema: &Value) -> Result<(), String> {
    let passes = match (allowed_values(schema), type_names(schema)) {
        (Some(allowed), _) => allowed.contains(&&Value::Null),
        (None, Some(names)) => names.contains(&"null"),
        (None, None) => true,
    };
    passes
        .then_some(())
        .ok_or_else(|| "it may be null".to_owned())
}

fn passes(kind: &Kind, schema: &Value, root: &Value, depth: usize) -> Result<(), String> {
    let refuse = |expected: &str| Err(format!("it is {}, not {expected}", kind.name()));
    if let Some(allowed) = allowed_values(schema) {
        return match kind {
            Kind::Any | Kind::Nothing => Ok(()),
            Kind::Boolean
                if [true, false]
                    .iter()
                    .all(|flag| allowed.contains(&&Value::Bool(*flag))) =>
            {
                Ok(())
            }
            Kind::Text(Texts::These(texts)) => {
                let known: BTreeSet<_> =
                    allowed.iter().filter_map(|value| value.as_str()).collect();
                let others: Vec<_> = texts
                    .iter()
                    .filter(|text| !known.contains(text.as_str()))
                    .map(|text| format!("`{text}`"))
                    .collect();
                if others.is_empty() {
                    Ok(())
                } else {
                    Err(format!(
                        "it may be {}, which is not one of the schema's values",
                        others.join(", ")
                    ))
                }
            }
            _ => refuse("always one of the schema's values"),
        };
    }
    let Some(names) = type_names(schema) else {
        return Ok(());
    };
    let takes = |name: &str| names.contains(&name);
    match kind {
        Kind::Any | Kind::Nothing => Ok(()),
        Kind::Text(_) if takes("string") => Ok(()),
        Kind::Integer if takes("integer") || takes("number") => Ok(()),
        Kind::Number if takes("number") => Ok(()),
        Kind::Boolean if takes("boolean") => Ok(()),
        Kind::List(element) if takes("array") => match schema.get("items") {
            Some(items) => fits_at(element, items, root, depth + 1)
                .map_err(|why| format!("an element does not fit: {why}")),
            None => Ok(()),
        },
        Kind::Object(object) if takes("object") => {
            let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
            for (name, ty) in &object.fields {
                match schema.get("properties").and_then(|all| all.get(name)) {
                    Some(property) => fits_at(ty, property, root, depth + 1)
                        .map_err(|why| format!("`{name}`: {why}"))?,
                    None if closed => return Err(format!("`{name}` is not among its properties")),
                    None => {}
                }
            }
            let required = schema.get("required").and_then(Value::as_array);
            for name in required.into_iter().flatten().filter_map(Value::as_str) {
                match object.fields.get(name) {
                    Some(ty) if ty.absent == Absent::Never => {}
                    Some(_) => return Err(format!("its `{name}` may be missing")),
                    None => return Err(format!("it has no `{name}`")),
                }
            }
            Ok(())
        }
        _ => refuse(&names.join(" or ")),
    }
}

fn allowed_values(schema: &Value) -> Option<Vec<&Value>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(value), _) => Some(vec![value]),
        (None, Some(Value::Array(values))) => Some(values.iter().collect()),
        _ => None,
    }
}

fn type_names(schema: &Value) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Value::String(name) => Some(vec![name]),
        Value::Array(names) => Some(names.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}
