//! A root field of a schema: what can be asked for or done.

use apollo_compiler::Node;
use apollo_compiler::ast::{FieldDefinition, InputValueDefinition, Type, Value};

/// Whether a root field reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RootKind {
    Query,
    Mutation,
}

impl RootKind {
    pub(super) fn keyword(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Mutation => "mutation",
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct RootField<'a> {
    pub(super) kind: RootKind,
    pub(super) field: &'a Node<FieldDefinition>,
}

impl<'a> RootField<'a> {
    pub(super) fn name(&self) -> &'a str {
        self.field.name.as_str()
    }

    pub(super) fn is_deprecated(&self) -> bool {
        self.field.directives.has("deprecated")
    }

    pub(super) fn description(&self) -> &'a str {
        self.field.description.as_deref().unwrap_or_default()
    }
}

/// Returns whether an argument or a field of an input has to be given.
pub(super) fn is_required(input: &InputValueDefinition) -> bool {
    input.ty.is_non_null() && input.default_value.is_none()
}

/// Returns whether a type is a list.
pub(super) fn is_list(ty: &Type) -> bool {
    matches!(ty, Type::List(_) | Type::NonNullList(_))
}

/// Returns whether a type is a list of lists.
pub(super) fn is_list_of_lists(ty: &Type) -> bool {
    match ty {
        Type::List(items) | Type::NonNullList(items) => is_list(items),
        Type::Named(_) | Type::NonNullNamed(_) => false,
    }
}

/// Returns why a field is deprecated, if it says so.
pub(super) fn deprecation_reason(field: &FieldDefinition) -> Option<&str> {
    let directive = field.directives.get("deprecated")?;
    let argument = directive.specified_argument_by_name("reason")?;
    match &**argument {
        Value::String(reason) => Some(reason),
        _ => None,
    }
}
