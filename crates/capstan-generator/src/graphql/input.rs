//! The inputs of a root field: its arguments, or the fields of its only argument `input`.

use apollo_compiler::Node;
use apollo_compiler::ast::{InputValueDefinition, Type};
use apollo_compiler::schema::ExtendedType;
use serde_json::{Value, json};

use super::operation::{RootField, is_required};
use super::rules::GraphqlRules;
use super::schema::GraphqlSchema;
use crate::build::input_type;
use crate::description::{Kind, Object, Schema};
use crate::rules::lookup;

/// The argument whose fields become inputs themselves.
const INPUT: &str = "input";
/// How deeply input objects are read. Some have themselves as fields.
const MAX_DEPTH: usize = 6;
/// How many values an enumeration may have to be listed.
const MAX_VALUES: usize = 40;

/// What a root field takes.
pub(super) struct Arguments<'a> {
    /// Whether these are the fields of the argument `input`.
    pub(super) is_in_input: bool,
    pub(super) all: Vec<&'a InputValueDefinition>,
}

impl<'a> Arguments<'a> {
    pub(super) fn of(root: RootField<'a>, schema: &'a GraphqlSchema, rules: &GraphqlRules) -> Self {
        let arguments = &root.field.arguments;
        let only_input = match arguments.as_slice() {
            [only] if only.name == INPUT => input_fields(schema, &only.ty),
            _ => None,
        };
        let is_in_input = only_input.is_some();
        let left_out = lookup(&rules.left_out_inputs, root.name());
        let all = only_input.unwrap_or_else(|| arguments.iter().collect());
        let all = all.into_iter().map(|argument| &**argument);
        let is_useful = |argument: &&InputValueDefinition| {
            let name = argument.name.as_str();
            let is_unused = left_out.is_some_and(|names| names.iter().any(|it| it == name))
                || rules.unused_inputs.iter().any(|unused| unused == name)
                || name == "clientMutationId"
                || argument.directives.has("deprecated");
            !is_unused || is_required(argument)
        };
        Self {
            is_in_input,
            all: all.filter(is_useful).collect(),
        }
    }
}

/// Returns the fields of an input object that is no list.
fn input_fields<'a>(
    schema: &'a GraphqlSchema,
    ty: &Type,
) -> Option<Vec<&'a Node<InputValueDefinition>>> {
    let (Type::Named(name) | Type::NonNullNamed(name)) = ty else {
        return None;
    };
    match schema.get(name) {
        Some(ExtendedType::InputObject(object)) => {
            Some(object.fields.values().map(|field| &field.node).collect())
        }
        _ => None,
    }
}

/// Returns the type of an input in the notation of outlines.
pub(super) fn notation(ty: &Type, schema: &GraphqlSchema, rules: &GraphqlRules) -> Value {
    input_type(&read(ty, schema, rules, MAX_DEPTH))
}

fn read(ty: &Type, schema: &GraphqlSchema, rules: &GraphqlRules, depth: usize) -> Schema {
    match ty {
        Type::List(items) | Type::NonNullList(items) => {
            Schema::new(Kind::List(Box::new(read(items, schema, rules, depth))))
        }
        Type::Named(name) | Type::NonNullNamed(name) => named(name, schema, rules, depth),
    }
}

fn named(name: &str, schema: &GraphqlSchema, rules: &GraphqlRules, depth: usize) -> Schema {
    let kind = match (name, schema.get(name)) {
        ("Int", _) => Kind::Integer,
        ("Float", _) => Kind::Number,
        ("Boolean", _) => Kind::Boolean,
        ("ID" | "String", _) => Kind::Text,
        (_, Some(ExtendedType::Enum(values))) => {
            let all = values.values.values();
            let (old, current): (Vec<_>, Vec<_>) =
                all.partition(|value| value.directives.has("deprecated"));
            // An input that only takes what is deprecated takes that.
            let values = if current.is_empty() { old } else { current };
            let values = values.into_iter().map(|value| json!(value.value.as_str()));
            let values: Vec<_> = values.collect();
            // The codes of all countries would hide the other inputs.
            if values.len() > MAX_VALUES {
                Kind::Any
            } else {
                Kind::Values(values)
            }
        }
        (_, Some(ExtendedType::InputObject(object))) if depth > 0 => {
            let mut read_object = Object::default();
            for field in object.fields.values() {
                if field.directives.has("deprecated") && !is_required(field) {
                    continue;
                }
                let inner = read(&field.ty, schema, rules, depth - 1);
                read_object.fields.insert(field.name.to_string(), inner);
                if is_required(field) {
                    read_object.required.insert(field.name.to_string());
                }
            }
            Kind::Object(read_object)
        }
        (_, Some(ExtendedType::Scalar(_))) => match rules.scalars.get(name).map(String::as_str) {
            Some("string") => Kind::Text,
            Some("integer") => Kind::Integer,
            Some("number") => Kind::Number,
            Some("boolean") => Kind::Boolean,
            _ => Kind::Any,
        },
        _ => Kind::Any,
    };
    Schema::new(kind)
}
