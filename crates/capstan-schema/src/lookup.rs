//! Looks up what a schema says of the parts of a value, through references and combinations.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::budget::Budget;
use crate::names::Names;
use crate::schema::{Part, Property, Schema};
use crate::types::TypeSet;

/// A lookup with its budget.
#[derive(Debug)]
pub(crate) struct Lookup<'b> {
    budget: &'b Budget,
}

static ANYTHING: Value = Value::Bool(true);

impl<'b> Lookup<'b> {
    pub(crate) fn new(budget: &'b Budget) -> Self {
        Self { budget }
    }

    pub(crate) fn property<'a>(&self, schema: Schema<'a>, name: &str) -> Option<Property<'a>> {
        let mut parts = Vec::new();
        let mut required = false;
        self.find_property(schema, name, &mut parts, &mut required);
        if parts.is_empty() && required {
            parts.push(Part::of(schema.child(&ANYTHING)));
        }
        let part = join("allOf", parts)?;
        Some(Property { part, required })
    }

    pub(crate) fn properties<'a>(&self, schema: Schema<'a>) -> Vec<(&'a str, Property<'a>)> {
        self.names(schema)
            .into_iter()
            .filter_map(|name| Some((name, self.property(schema, name)?)))
            .collect()
    }

    pub(crate) fn required<'a>(&self, schema: Schema<'a>) -> Vec<&'a str> {
        let mut names = self.names(schema);
        names.retain(|name| {
            let mut required = false;
            self.find_property(schema, name, &mut Vec::new(), &mut required);
            required
        });
        names
    }

    pub(crate) fn items<'a>(&self, schema: Schema<'a>) -> Option<Part<'a>> {
        let mut parts = Vec::new();
        self.find_items(schema, &mut parts);
        join("allOf", parts)
    }

    pub(crate) fn is_closed(&self, schema: Schema<'_>) -> bool {
        let Some(keywords) = schema.keywords() else {
            return schema.node == &Value::Bool(false);
        };
        let is_false = |keyword| keywords.get(keyword) == Some(&Value::Bool(false));
        is_false("additionalProperties")
            || is_false("unevaluatedProperties")
            || self.any_part(schema, |part| self.is_closed(part))
            || self.alternatives(schema).any(|branches| {
                branches
                    .iter()
                    .all(|branch| self.deeper(|| self.is_closed(*branch)))
            })
    }

    pub(crate) fn types(&self, schema: Schema<'_>) -> TypeSet {
        let keywords = match schema.node {
            Value::Bool(false) => return TypeSet::NONE,
            Value::Object(keywords) => keywords,
            _ => return TypeSet::ALL,
        };
        let mut types = own_types(keywords);
        for part in self.parts(schema) {
            let of_part = self.budget.deeper(|| self.types(part));
            types = types.intersection(of_part.unwrap_or(TypeSet::ALL));
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(branches) = list(keywords, keyword) {
                let of_any = branches.iter().fold(TypeSet::NONE, |types, branch| {
                    let of_branch = self.budget.deeper(|| self.types(schema.child(branch)));
                    types.union(of_branch.unwrap_or(TypeSet::ALL))
                });
                types = types.intersection(of_any);
            }
        }
        types
    }

    /// Returns the schemas that every value must also match: the target of `$ref` and the members of `allOf`.
    fn parts<'a>(&self, schema: Schema<'a>) -> impl Iterator<Item = Schema<'a>> {
        let keywords = schema.keywords();
        let target = keywords
            .and_then(|it| it.get("$ref")?.as_str())
            .and_then(|reference| schema.resolve(reference, self.budget));
        let all = keywords.and_then(|it| list(it, "allOf")).unwrap_or(&[]);
        target
            .into_iter()
            .chain(all.iter().map(move |part| schema.child(part)))
    }

    /// Returns the alternatives that can be objects, for each of `anyOf` and `oneOf`.
    fn alternatives<'a>(&self, schema: Schema<'a>) -> impl Iterator<Item = Vec<Schema<'a>>> {
        ["anyOf", "oneOf"].into_iter().filter_map(move |keyword| {
            let branches = list(schema.keywords()?, keyword)?;
            let branches: Vec<_> = branches
                .iter()
                .map(|branch| schema.child(branch))
                .filter(|branch| self.types(*branch).meets(TypeSet::OBJECT))
                .collect();
            (!branches.is_empty()).then_some(branches)
        })
    }

    fn any_part<'a>(&self, schema: Schema<'a>, test: impl Fn(Schema<'a>) -> bool) -> bool {
        self.parts(schema).any(|part| self.deeper(|| test(part)))
    }

    fn deeper(&self, test: impl FnOnce() -> bool) -> bool {
        self.budget.deeper(test).unwrap_or(false)
    }

    fn find_property<'a>(
        &self,
        schema: Schema<'a>,
        name: &str,
        found: &mut Vec<Part<'a>>,
        required: &mut bool,
    ) {
        let Some(keywords) = schema.keywords() else {
            return;
        };
        if let Some(own) = keywords.get("properties").and_then(|it| it.get(name)) {
            found.push(Part::of(schema.child(own)));
        } else if let Some(others @ Value::Object(_)) = keywords.get("additionalProperties") {
            found.push(Part::of(schema.child(others)));
        }
        *required |= requires(keywords, name);
        for part in self.parts(schema) {
            self.budget
                .deeper(|| self.find_property(part, name, found, required));
        }
        for branches in self.alternatives(schema) {
            let of_branches: Option<Vec<_>> = branches
                .iter()
                .map(|branch| self.budget.deeper(|| self.property(*branch, name))?)
                .collect();
            if let Some(of_branches) = of_branches {
                *required |= of_branches.iter().all(|it| it.required);
                let parts = of_branches.into_iter().map(|it| it.part).collect();
                found.extend(join("anyOf", parts));
            }
        }
    }

    fn names<'a>(&self, schema: Schema<'a>) -> Vec<&'a str> {
        let mut names = Names::default();
        self.find_names(schema, &mut names);
        names.into_vec()
    }

    fn find_names<'a>(&self, schema: Schema<'a>, names: &mut Names<'a>) {
        let Some(keywords) = schema.keywords() else {
            return;
        };
        let own = keywords.get("properties").and_then(Value::as_object);
        let own = own.into_iter().flatten().map(|(name, _)| name.as_str());
        let required = list(keywords, "required").unwrap_or(&[]);
        for name in own.chain(required.iter().filter_map(Value::as_str)) {
            if self.budget.spend(1) {
                names.add(name);
            }
        }
        for part in self.parts(schema) {
            self.budget.deeper(|| self.find_names(part, names));
        }
        for branch in self.alternatives(schema).flatten() {
            self.budget.deeper(|| self.find_names(branch, names));
        }
    }

    fn find_items<'a>(&self, schema: Schema<'a>, found: &mut Vec<Part<'a>>) {
        let Some(keywords) = schema.keywords() else {
            return;
        };
        let first = list(keywords, "prefixItems").unwrap_or(&[]);
        if let Some(items @ (Value::Object(_) | Value::Bool(_))) = keywords.get("items") {
            let mut each: Vec<_> = first
                .iter()
                .map(|part| Part::of(schema.child(part)))
                .collect();
            if items != &Value::Bool(false) || each.is_empty() {
                each.push(Part::of(schema.child(items)));
            }
            found.extend(join("anyOf", each));
        }
        for part in self.parts(schema) {
            self.budget.deeper(|| self.find_items(part, found));
        }
        for keyword in ["anyOf", "oneOf"] {
            let branches = list(keywords, keyword).unwrap_or(&[]);
            let of_branches: Option<Vec<_>> = branches
                .iter()
                .map(|branch| schema.child(branch))
                .filter(|branch| self.types(*branch).meets(TypeSet::ARRAY))
                .map(|branch| self.budget.deeper(|| self.items(branch))?)
                .collect();
            found.extend(of_branches.and_then(|parts| join("anyOf", parts)));
        }
    }
}

/// Returns the types that a schema's own keywords allow.
pub(crate) fn own_types(keywords: &Map<String, Value>) -> TypeSet {
    let mut types = keywords
        .get("type")
        .and_then(TypeSet::of_keyword)
        .unwrap_or(TypeSet::ALL);
    if let Some(value) = keywords.get("const") {
        types = types.intersection(TypeSet::of_value(value));
    }
    if let Some(values) = list(keywords, "enum") {
        let of_values = values.iter().fold(TypeSet::NONE, |types, value| {
            types.union(TypeSet::of_value(value))
        });
        types = types.intersection(of_values);
    }
    if let Some(not) = keywords.get("not").and_then(only_types) {
        types = types.without(not);
    }
    types
}

pub(crate) fn list<'a>(keywords: &'a Map<String, Value>, keyword: &str) -> Option<&'a [Value]> {
    keywords.get(keyword)?.as_array().map(Vec::as_slice)
}

pub(crate) fn requires(keywords: &Map<String, Value>, name: &str) -> bool {
    list(keywords, "required").is_some_and(|names| names.iter().any(|it| it == name))
}

/// Returns the types that a schema allows, if it has no keyword but `type`.
fn only_types(schema: &Value) -> Option<TypeSet> {
    let keywords = schema.as_object().filter(|it| it.len() == 1)?;
    TypeSet::of_keyword(keywords.get("type")?)
}

/// Combines several parts into one with `allOf` or `anyOf`; `None` for no parts.
fn join<'a>(how: &str, mut parts: Vec<Part<'a>>) -> Option<Part<'a>> {
    let last = parts.pop()?;
    // Parts of different documents cannot be combined in one schema. For `allOf` the last part alone still
    // holds; for `anyOf` nothing is known.
    if parts.iter().any(|it| !std::ptr::eq(it.root, last.root)) {
        return (how == "allOf").then_some(last);
    }
    parts.retain(|part| part.node != last.node);
    if parts.is_empty() {
        return Some(last);
    }
    let root = last.root;
    let nodes = parts.into_iter().chain([last]);
    let nodes = nodes.map(|part| part.node.into_owned()).collect();
    let joined = Map::from_iter([(how.to_owned(), Value::Array(nodes))]);
    Some(Part {
        root,
        node: Cow::Owned(Value::Object(joined)),
    })
}
