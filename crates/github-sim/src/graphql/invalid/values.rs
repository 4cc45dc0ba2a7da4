//! Checks whether a value fits an argument: literals by their kind, variables by their type.

use apollo_compiler::Schema;
use apollo_compiler::ast::{InputValueDefinition, Type, Value, VariableDefinition};
use apollo_compiler::schema::ExtendedType;

/// Returns whether a literal fits a type. Lists, input objects and custom scalars are left to the validator.
pub(super) fn literal_fits(schema: &Schema, ty: &Type, value: &Value) -> bool {
    if matches!(value, Value::Variable(_)) || ty.is_list() {
        return true;
    }
    if value.is_null() {
        return !ty.is_non_null();
    }
    let name = ty.inner_named_type();
    match schema.types.get(name) {
        Some(ExtendedType::Enum(definition)) => {
            matches!(value, Value::Enum(chosen) if definition.values.contains_key(chosen))
        }
        Some(ExtendedType::Scalar(_)) => match name.as_str() {
            "Int" => matches!(value, Value::Int(_)),
            "Float" => matches!(value, Value::Int(_) | Value::Float(_)),
            "String" => matches!(value, Value::String(_)),
            "Boolean" => matches!(value, Value::Boolean(_)),
            "ID" => matches!(value, Value::String(_) | Value::Int(_)),
            _ => true,
        },
        _ => true,
    }
}

/// Returns GitHub's name of the reason why a variable does not fit an argument; `None` if it fits.
pub(super) fn mismatch(
    variable: &VariableDefinition,
    argument: &InputValueDefinition,
) -> Option<&'static str> {
    let (given, expected) = (&*variable.ty, &*argument.ty);
    if given.inner_named_type() != expected.inner_named_type() {
        return Some("Type mismatch");
    }
    if dimensions(given) != dimensions(expected) {
        return Some("List dimension mismatch");
    }
    let has_default = variable.default_value.is_some() || argument.default_value.is_some();
    (expected.is_non_null() && !given.is_non_null() && !has_default)
        .then_some("Nullability mismatch")
}

fn dimensions(ty: &Type) -> usize {
    match ty {
        Type::List(inner) | Type::NonNullList(inner) => 1 + dimensions(inner),
        Type::Named(_) | Type::NonNullNamed(_) => 0,
    }
}
