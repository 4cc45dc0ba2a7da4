//! The field being resolved, with its arguments as plain JSON.

use apollo_compiler::parser::LineColumn;
use apollo_compiler::resolvers::ResolveInfo;
use apollo_compiler::schema::Type;
use apollo_compiler::{Schema, validation::Valid};
use serde_json::{Map, Value};

/// A field and its coerced arguments.
pub(super) struct Field<'a> {
    info: &'a ResolveInfo<'a>,
    arguments: Map<String, Value>,
}

impl<'a> Field<'a> {
    pub(super) fn new(info: &'a ResolveInfo<'a>) -> Self {
        let arguments = match serde_json::to_value(info.arguments()) {
            Ok(Value::Object(arguments)) => arguments,
            _ => Map::new(),
        };
        Self { info, arguments }
    }

    pub(super) fn name(&self) -> &'a str {
        self.info.field_name()
    }

    /// Returns the alias, or the name if there is no alias.
    pub(super) fn response_key(&self) -> String {
        let first = self.info.field_selections().first();
        first.map_or_else(String::new, |field| field.response_key().to_string())
    }

    /// Returns the position of the field in the document.
    pub(super) fn locations(&self) -> Vec<LineColumn> {
        let sources = &self.info.document().sources;
        let first = self.info.field_selections().first();
        let span = first.and_then(|field| field.name.location());
        Vec::from_iter(span.and_then(|span| span.line_column(sources)))
    }

    pub(super) fn schema(&self) -> &'a Valid<Schema> {
        self.info.schema()
    }

    pub(super) fn ty(&self) -> &'a Type {
        &self.info.field_definition().ty
    }

    /// Returns the name of the type without list and non-null markers.
    pub(super) fn type_name(&self) -> &'a str {
        self.ty().inner_named_type().as_str()
    }

    pub(super) fn arguments(&self) -> &Map<String, Value> {
        &self.arguments
    }

    /// Returns whether something has to be given, such as the name of what is asked for.
    pub(super) fn has_required_argument(&self) -> bool {
        let mut arguments = self.info.field_definition().arguments.iter();
        arguments.any(|argument| argument.is_required())
    }

    /// Returns an argument if it is given and not null.
    pub(super) fn argument(&self, name: &str) -> Option<&Value> {
        self.arguments.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.argument(name)?.as_str()
    }

    pub(super) fn number(&self, name: &str) -> Option<i64> {
        self.argument(name)?.as_i64()
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.argument(name)
            .and_then(Value::as_bool)
            .unwrap_or(false)
    }

    /// Returns the strings of a list argument; empty if it is not given.
    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        texts(self.argument(name))
    }

    /// Returns the `field` of an `orderBy` argument, and whether its `direction` is descending.
    pub(super) fn order(&self) -> Option<(&str, bool)> {
        let order = self.argument("orderBy")?;
        let descending = order["direction"].as_str() == Some("DESC");
        Some((order["field"].as_str()?, descending))
    }

    /// Returns whether a direct sub-field with this name is selected, directly or in a fragment.
    pub(super) fn selects(&self, name: &str) -> bool {
        self.info.field_selections().iter().any(|field| {
            field
                .selection_set
                .root_fields(self.info.document())
                .any(|selected| selected.name == name)
        })
    }
}

/// Returns the strings of a JSON array; empty for other values.
pub(super) fn texts(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array);
    items
        .into_iter()
        .flatten()
        .filter_map(|item| item.as_str().map(str::to_owned))
        .collect()
}
