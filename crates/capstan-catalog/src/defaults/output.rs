//! Derives outputs by name: each field of `output_schema` is the field of the answer with the same
//! name.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use capstan_core::card::resolve_reference;

use super::names;
use super::nested::{AnswerNames, has_type, mapping};
use crate::raw::RawOutput;

/// The fields of the output according to `output_schema`.
pub(crate) struct OutputSchema<'a> {
    whole: &'a Value,
    properties: Option<&'a Map<String, Value>>,
    required: Vec<&'a str>,
}

impl<'a> OutputSchema<'a> {
    pub(crate) fn new(schema: &'a Value) -> Self {
        let required = schema.get("required").and_then(Value::as_array);
        Self {
            whole: schema,
            properties: schema.get("properties").and_then(Value::as_object),
            required: required
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect(),
        }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        let properties = self.properties.into_iter();
        properties.flat_map(|all| all.keys().map(String::as_str))
    }

    pub(super) fn is_array(&self, name: &str) -> bool {
        let property = self.properties.and_then(|all| all.get(name));
        property.is_some_and(|it| has_type(resolve_reference(it, self.whole), "array"))
    }

    /// Returns the required fields for which `has` is false, each in backticks.
    pub(crate) fn missing_required(&self, has: impl Fn(&str) -> bool) -> Vec<String> {
        let missing = self.required.iter().filter(|name| !has(name));
        missing.map(|name| format!("`{name}`")).collect()
    }

    /// Returns the output in which each field is read from the path that `find` returns. Returns
    /// `None` if a required field has no path, or if no field has one.
    pub(super) fn by_name<'n>(
        &self,
        root: Option<String>,
        find: impl Fn(&str) -> Option<(String, AnswerNames<'n>)>,
    ) -> Option<RawOutput> {
        let found = self.properties.into_iter().flatten();
        let found = found.filter_map(|(name, property)| {
            let (path, below) = find(name)?;
            Some((name.clone(), mapping(path, below, property, self.whole)))
        });
        let fields: IndexMap<_, _> = found.collect();
        let whole = self.required.iter().all(|name| fields.contains_key(*name));
        (whole && !fields.is_empty()).then_some(RawOutput {
            root,
            require: None,
            warn: Vec::new(),
            fields,
        })
    }

    /// Returns the output for `gh --json`, given the fields that it prints at the top level.
    pub(super) fn output_for_json_fields(&self, known: &[String]) -> Option<RawOutput> {
        self.by_name(None, |name| {
            let found = names::find(name, known.iter().map(String::as_str))?;
            Some((found.to_owned(), AnswerNames::Camel))
        })
    }
}
