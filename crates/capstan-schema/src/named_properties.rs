//! Which properties schemas name. Projection keeps only these.
//!
//! Projecting values and reasoning about projected values must agree, so both use this module.

use std::collections::HashSet;

use serde_json::Value;

use crate::budget::Budget;
use crate::lookup::{list, requires};
use crate::schema::Schema;

/// The work for searching an anchor.
const SEARCH: u32 = 5000;

/// All schemas that describe a value itself, including all alternatives.
#[derive(Debug)]
pub(crate) struct NamedProperties<'a> {
    nodes: Vec<Schema<'a>>,
    keeps_others: bool,
}

impl<'a> NamedProperties<'a> {
    pub(crate) fn from_schemas(schemas: impl IntoIterator<Item = Schema<'a>>) -> Self {
        let mut nodes = Vec::new();
        let mut seen = HashSet::new();
        let mut waiting: Vec<_> = schemas.into_iter().collect();
        waiting.reverse();
        while let Some(schema) = waiting.pop() {
            if schema.keywords().is_some() && seen.insert(std::ptr::from_ref(schema.node)) {
                nodes.push(schema);
                push_in_place(schema, &mut waiting);
            }
        }
        let names_some = nodes.iter().any(|it| it.node.get("properties").is_some());
        let keeps_others = !names_some || nodes.iter().any(|it| describes_others(*it));
        Self {
            nodes,
            keeps_others,
        }
    }

    pub(crate) fn nodes(&self) -> &[Schema<'a>] {
        &self.nodes
    }

    /// Whether there is no schema, so that the whole value is kept.
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether properties that no schema names are kept: if no schema names properties, or one describes the
    /// others.
    pub(crate) fn keeps_others(&self) -> bool {
        self.keeps_others
    }

    pub(crate) fn keeps(&self, name: &str) -> bool {
        self.keeps_others
            || self.nodes.iter().any(|it| {
                named(*it, name).is_some() || it.keywords().is_some_and(|it| requires(it, name))
            })
    }

    /// Returns the names of all properties.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.nodes.iter().flat_map(|it| {
            let named = it.node.get("properties").and_then(Value::as_object);
            let required = it.keywords().and_then(|it| list(it, "required"));
            let named = named
                .into_iter()
                .flat_map(|it| it.keys().map(String::as_str));
            named.chain(required.unwrap_or(&[]).iter().filter_map(Value::as_str))
        })
    }

    pub(crate) fn of_property(&self, name: &str) -> Self {
        Self::from_schemas(self.nodes.iter().flat_map(|it| {
            let own = named(*it, name).or_else(|| it.node.get("additionalProperties"));
            own.into_iter()
                .chain(others(*it))
                .map(|part| it.child(part))
        }))
    }

    /// Returns the schemas of a property that no schema names.
    pub(crate) fn of_other(&self) -> Self {
        Self::from_schemas(self.nodes.iter().flat_map(|it| {
            let own = it.node.get("additionalProperties");
            own.into_iter()
                .chain(others(*it))
                .map(|part| it.child(part))
        }))
    }

    pub(crate) fn of_element(&self, index: usize) -> Self {
        Self::from_schemas(self.nodes.iter().flat_map(|it| {
            let first = it.node.get("prefixItems").and_then(|it| it.get(index));
            let own = first.or_else(|| it.node.get("items"));
            let others = it.node.get("unevaluatedItems");
            own.into_iter().chain(others).map(|part| it.child(part))
        }))
    }

    /// Returns the largest number of first elements that a schema describes one by one.
    pub(crate) fn first_elements(&self) -> usize {
        let lists = self
            .nodes
            .iter()
            .filter_map(|it| list(it.keywords()?, "prefixItems"));
        lists.map(<[_]>::len).max().unwrap_or(0)
    }
}

fn named<'a>(schema: Schema<'a>, name: &str) -> Option<&'a Value> {
    schema.node.get("properties")?.get(name)
}

/// Returns the schemas of `patternProperties` and `unevaluatedProperties`.
fn others<'a>(schema: Schema<'a>) -> impl Iterator<Item = &'a Value> {
    let patterns = schema
        .node
        .get("patternProperties")
        .and_then(Value::as_object);
    let patterns = patterns.into_iter().flat_map(serde_json::Map::values);
    patterns.chain(schema.node.get("unevaluatedProperties"))
}

fn describes_others(schema: Schema<'_>) -> bool {
    let own = schema.node.get("additionalProperties");
    own.into_iter()
        .chain(others(schema))
        .any(|it| it.as_object().is_some_and(|it| !it.is_empty()))
}

/// Adds the schemas that the same value matches, or may match, besides this one.
fn push_in_place<'a>(schema: Schema<'a>, waiting: &mut Vec<Schema<'a>>) {
    let Some(keywords) = schema.keywords() else {
        return;
    };
    if let Some(Value::String(reference)) = keywords.get("$ref") {
        // Use a separate budget, so that the result does not depend on the caller.
        waiting.extend(schema.resolve(reference, &Budget::with_work(SEARCH)));
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let parts = list(keywords, keyword).unwrap_or(&[]);
        waiting.extend(parts.iter().map(|part| schema.child(part)));
    }
    for keyword in ["if", "then", "else"] {
        waiting.extend(keywords.get(keyword).map(|part| schema.child(part)));
    }
    if let Some(Value::Object(parts)) = keywords.get("dependentSchemas") {
        waiting.extend(parts.values().map(|part| schema.child(part)));
    }
}
