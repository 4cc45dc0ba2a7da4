//! Default values by type, for the fields of GitHub's schema that the simulator does not model.

use super::field::Field;
use super::page;
use super::schema;
use super::value::{FieldResult, FieldValue, record, some};
use apollo_compiler::Schema;
use apollo_compiler::schema::{ExtendedType, Type};
use serde_json::Value;

/// Returns the default of a field: empty for lists and connections, null for nullable types, otherwise a simple
/// value of the type.
pub(super) fn default_result(field: &Field<'_>) -> FieldResult {
    if page::is_connection(field.schema(), field.type_name()) {
        return page::connection(field, Vec::new());
    }
    some(default_value(field.schema(), field.ty()))
}

fn default_value(schema: &Schema, ty: &Type) -> FieldValue {
    if ty.is_list() {
        return FieldValue::List(Vec::new());
    }
    if !ty.is_non_null() {
        return FieldValue::Null;
    }
    let name = ty.inner_named_type();
    match schema.types.get(name) {
        Some(ExtendedType::Enum(definition)) => {
            let first = definition.values.keys().next();
            first.map_or(FieldValue::Null, |value| FieldValue::from(value.as_str()))
        }
        Some(ExtendedType::Object(_)) => record(name.as_str()).into(),
        Some(ExtendedType::Union(definition)) => {
            let first = definition.members.first();
            first.map_or(FieldValue::Null, |member| {
                record(member.name.as_str()).into()
            })
        }
        Some(ExtendedType::Interface(_)) => {
            let objects = schema::implementers().get(name);
            let first = objects.and_then(|known| known.objects.iter().min());
            first.map_or(FieldValue::Null, |object| record(object.as_str()).into())
        }
        _ => FieldValue::Json(default_scalar(name.as_str())),
    }
}

fn default_scalar(name: &str) -> Value {
    match name {
        "Boolean" => Value::from(false),
        "Int" => Value::from(0),
        "Float" => Value::from(0.0),
        "BigInt" => Value::from("0"),
        "Date" => Value::from("1970-01-01"),
        "DateTime" | "PreciseDateTime" | "GitTimestamp" => Value::from("1970-01-01T00:00:00Z"),
        "URI" => Value::from("https://github.com"),
        "GitObjectID" => Value::from("0".repeat(40)),
        "GitSSHRemote" => Value::from("git@github.com:"),
        _ => Value::from(""),
    }
}
