//! Outputs by name: each field of `output_schema` is the field of the answer that is called the same.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::names;
use crate::raw::RawOutput;

/// What `output_schema` says about the fields of the output.
pub(crate) struct OutputSchema<'a> {
    properties: Option<&'a Map<String, Value>>,
    required: Vec<&'a str>,
}

impl<'a> OutputSchema<'a> {
    pub(crate) fn of(schema: &'a Value) -> Self {
        let required = schema.get("required").and_then(Value::as_array);
        Self {
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
        property
            .and_then(|it| it.get("type"))
            .and_then(Value::as_str)
            == Some("array")
    }

    /// The required fields of which `has` does not hold, each in backticks.
    pub(crate) fn not_in(&self, has: impl Fn(&str) -> bool) -> Vec<String> {
        let missing = self.required.iter().filter(|name| !has(name));
        missing.map(|name| format!("`{name}`")).collect()
    }

    /// The output in which each field is read from the path that `path` gives; nothing if a
    /// required field has none, or no field has one.
    pub(super) fn by_name(
        &self,
        root: Option<String>,
        path: impl Fn(&str) -> Option<String>,
    ) -> Option<RawOutput> {
        let found = self
            .names()
            .filter_map(|name| Some((name.to_owned(), Value::String(path(name)?))));
        let fields: IndexMap<_, _> = found.collect();
        let whole = self.required.iter().all(|name| fields.contains_key(*name));
        (whole && !fields.is_empty()).then_some(RawOutput {
            root,
            require: None,
            warn: Vec::new(),
            fields,
        })
    }

    /// The output by name where all that the answer can have is known.
    pub(super) fn among(&self, known: &[String]) -> Option<RawOutput> {
        self.by_name(None, |name| {
            names::find(name, known.iter().map(String::as_str)).map(str::to_owned)
        })
    }
}
