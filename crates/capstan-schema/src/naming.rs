//! Which properties a schema names: what is kept of a value that is handed over.
//!
//! Reducing values and reasoning about reduced values must agree, so both ask here.

use std::collections::HashSet;

use serde_json::Value;

use crate::budget::Budget;
use crate::lookup::{list, requires};
use crate::schema::Schema;

/// How far an anchor is searched for.
const SEARCH: u32 = 5000;

/// Everything that some schemas say about a value itself, whichever of their alternatives it passes.
#[derive(Debug)]
pub(crate) struct Naming<'a> {
    nodes: Vec<Schema<'a>>,
    keeps_others: bool,
}

impl<'a> Naming<'a> {
    pub(crate) fn of(schemas: impl IntoIterator<Item = Schema<'a>>) -> Self {
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

    /// Whether nothing is said at all, so that everything is kept as it is.
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether properties that no schema names are kept: where no properties are named, and where a
    /// schema is given for the others.
    pub(crate) fn keeps_others(&self) -> bool {
        self.keeps_others
    }

    pub(crate) fn keeps(&self, name: &str) -> bool {
        self.keeps_others
            || self.nodes.iter().any(|it| {
                named(*it, name).is_some() || it.keywords().is_some_and(|it| requires(it, name))
            })
    }

    /// The names of all properties.
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
        Self::of(self.nodes.iter().flat_map(|it| {
            let own = named(*it, name).or_else(|| it.node.get("additionalProperties"));
            own.into_iter()
                .chain(others(*it))
                .map(|part| it.child(part))
        }))
    }

    /// Of a property that no schema names.
    pub(crate) fn of_other(&self) -> Self {
        Self::of(self.nodes.iter().flat_map(|it| {
            let own = it.node.get("additionalProperties");
            own.into_iter()
                .chain(others(*it))
                .map(|part| it.child(part))
        }))
    }

    pub(crate) fn of_element(&self, index: usize) -> Self {
        Self::of(self.nodes.iter().flat_map(|it| {
            let first = it.node.get("prefixItems").and_then(|it| it.get(index));
            let own = first.or_else(|| it.node.get("items"));
            let others = it.node.get("unevaluatedItems");
            own.into_iter().chain(others).map(|part| it.child(part))
        }))
    }

    /// How many first elements may be described one by one.
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

/// What is said of properties by other ways than their names and `additionalProperties`.
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

/// The schemas that a value passes, or may pass, along with this one.
fn push_in_place<'a>(schema: Schema<'a>, waiting: &mut Vec<Schema<'a>>) {
    let Some(keywords) = schema.keywords() else {
        return;
    };
    if let Some(Value::String(reference)) = keywords.get("$ref") {
        // A budget of its own: it must not depend on who asks whether a reference is found.
        waiting.extend(schema.resolve(reference, &Budget::of(SEARCH)));
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
