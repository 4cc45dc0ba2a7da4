//! Objects that the simulator does not model, made up from GitHub's schema and the request, so that every mutation and
//! every lookup of something by its name has an answer.

use super::field::Field;
use super::schema::schema;
use super::value::{FieldValue, Record, record};
use crate::world::{Viewer, World};
use apollo_compiler::ast::Type;
use apollo_compiler::schema::{ExtendedType, FieldDefinition};
use serde_json::{Map, Value};

/// Returns the object that a field finds by its arguments, such as `discussion(number: 7)`; `None` for fields that
/// find nothing. The object has the arguments that it has fields for.
pub(super) fn found_by(field: &Field<'_>) -> Option<FieldValue> {
    let finds = !field.ty().is_list() && field.has_required_argument();
    let type_name = concrete_type(field.type_name()).filter(|_| finds)?;
    Some(object(type_name, field.arguments()).into())
}

/// Returns the payload of a mutation that is not modelled. Its objects are those of the world that the input names, or
/// made up from the input.
pub(super) fn payload(world: &World, viewer: &Viewer, field: &Field<'_>) -> FieldValue {
    let empty = Map::new();
    let input = field.argument("input").and_then(Value::as_object);
    let input = input.unwrap_or(&empty);
    let mut payload = record(field.type_name());
    for (name, definition) in fields_of(field.type_name()) {
        let value = match concrete_type(definition.ty.inner_named_type()) {
            None => echo(input.get(name), &definition.ty),
            Some(_) if definition.ty.is_list() || name.ends_with("Edge") => None,
            Some(type_name) => {
                let known = node_of(world, viewer, input, name, definition);
                Some(known.unwrap_or_else(|| object(type_name, input).into()))
            }
        };
        if let Some(value) = value {
            payload = payload.with(name, value);
        }
    }
    payload.into()
}

/// Returns the object of the world whose id is in the input: that of the same name, or else the first of the type.
fn node_of(
    world: &World,
    viewer: &Viewer,
    input: &Map<String, Value>,
    name: &str,
    definition: &FieldDefinition,
) -> Option<FieldValue> {
    let same = input.get(&format!("{name}Id"));
    let ids = same.into_iter().chain(input.values());
    let places = ids.filter_map(|id| world.node(viewer, id.as_str()?).ok());
    let ty = definition.ty.inner_named_type();
    let mut fitting = places.filter(|place| {
        let known = place.kind().type_name();
        ty == known || schema().is_subtype(ty, known)
    });
    fitting.next().map(FieldValue::Node)
}

fn object(type_name: &'static str, known: &Map<String, Value>) -> Record {
    let mut made_up = record(type_name);
    for (name, definition) in fields_of(type_name) {
        if name == "id" {
            let said = known.values().filter_map(said).collect::<Vec<_>>();
            made_up = made_up.with(name, format!("{type_name}:{}", said.join("/")));
        } else if let Some(value) = echo(known.get(name), &definition.ty) {
            made_up = made_up.with(name, value);
        }
    }
    made_up
}

fn said(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns a given value if it fits a field without fields of its own.
fn echo(value: Option<&Value>, ty: &Type) -> Option<FieldValue> {
    let value = value?;
    let fits = match (schema().types.get(ty.inner_named_type())?, value) {
        _ if ty.is_list() => false,
        (ExtendedType::Enum(definition), Value::String(text)) => {
            definition.values.contains_key(text.as_str())
        }
        (ExtendedType::Scalar(scalar), value) => match scalar.name.as_str() {
            "Int" => value.is_i64(),
            "Float" => value.is_number(),
            "Boolean" => value.is_boolean(),
            _ => value.is_string(),
        },
        _ => false,
    };
    fits.then(|| FieldValue::Json(value.clone()))
}

/// Returns the name of a type with fields, or of the first type that a value of it can have.
fn concrete_type(name: &str) -> Option<&'static str> {
    match schema().types.get(name)? {
        ExtendedType::Object(object) => Some(object.name.as_str()),
        ExtendedType::Union(_) | ExtendedType::Interface(_) => {
            let types = schema().types.values();
            let names = types
                .filter(|ty| ty.is_object() && schema().is_subtype(name, ty.name()))
                .map(|ty| ty.name().as_str());
            names.min()
        }
        _ => None,
    }
}

fn fields_of(name: &str) -> impl Iterator<Item = (&'static str, &'static FieldDefinition)> {
    let fields = match schema().types.get(name) {
        Some(ExtendedType::Object(object)) => Some(&object.fields),
        _ => None,
    };
    let fields = fields.into_iter().flatten();
    fields.map(|(name, definition)| (name.as_str(), &*definition.node))
}
