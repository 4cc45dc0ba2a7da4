//! A description as JSON, in which references are followed.

use serde_json::{Map, Value};

use super::Operation;
use super::read_operation::read_operation;
use crate::Problem;

/// How many references may lead to each other. A longer chain is a circle.
const MAX_REFERENCES: usize = 32;

/// A description of an API in the format OpenAPI.
#[derive(Clone, Debug)]
pub struct Document {
    root: Value,
}

/// A value and its place.
#[derive(Clone, Debug)]
pub(super) struct Placed<'a> {
    pub(super) value: &'a Value,
    pub(super) pointer: String,
}

impl Document {
    /// Parses a description.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let root: Value = serde_json::from_str(text)
            .map_err(|error| Problem::new("/", format!("not JSON: {error}")))?;
        Ok(Self::from_json(root))
    }

    pub fn from_json(root: Value) -> Self {
        Self { root }
    }

    /// Returns every operation in the order of the description, or all problems.
    pub(crate) fn operations(&self) -> Result<Vec<Operation>, Vec<Problem>> {
        let Some(paths) = self.root.get("paths").and_then(Value::as_object) else {
            return Err(vec![Problem::new("/paths", "expected an object of paths")]);
        };
        let mut operations = Vec::new();
        let mut problems = Vec::new();
        for (path, item) in paths {
            let pointer = format!("/paths/{}", escape(path));
            let Some(item) = item.as_object() else {
                problems.push(Problem::new(pointer, "expected an object of operations"));
                continue;
            };
            for read in self.operations_of(path, item, &pointer) {
                match read {
                    Ok(operation) => operations.push(operation),
                    Err(problem) => problems.push(problem),
                }
            }
        }
        if problems.is_empty() {
            Ok(operations)
        } else {
            Err(problems)
        }
    }

    fn operations_of(
        &self,
        path: &str,
        item: &Map<String, Value>,
        pointer: &str,
    ) -> Vec<Result<Operation, Problem>> {
        let methods = super::Method::ALL.into_iter();
        let found = methods.filter_map(|method| Some((method, item.get(method.key())?)));
        found
            .map(|(method, value)| {
                let placed = Placed {
                    value,
                    pointer: format!("{pointer}/{}", method.key()),
                };
                read_operation(self, method, path, item.get("parameters"), &placed)
            })
            .collect()
    }

    /// Follows references until there is a value.
    pub(super) fn resolve<'a>(&'a self, start: &Placed<'a>) -> Result<Placed<'a>, Problem> {
        let mut here = start.clone();
        for _ in 0..MAX_REFERENCES {
            let Some(reference) = here.value.get("$ref") else {
                return Ok(here);
            };
            let target = reference.as_str().and_then(|text| text.strip_prefix('#'));
            let found = target.and_then(|target| Some((target, self.root.pointer(target)?)));
            let Some((target, value)) = found else {
                let message = format!("the reference {reference} leads nowhere");
                return Err(Problem::new(here.pointer, message));
            };
            here = Placed {
                value,
                pointer: target.to_owned(),
            };
        }
        let message = "the reference leads to itself";
        Err(Problem::new(start.pointer.clone(), message))
    }
}

impl<'a> Placed<'a> {
    /// Returns the value of a key, if it is there and not null.
    pub(super) fn get(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key).filter(|value| !value.is_null())?;
        Some(self.at(key, value))
    }

    /// Returns the elements of an object; none if it is something else.
    pub(super) fn entries(&self) -> Vec<(&'a str, Self)> {
        let fields = self.value.as_object().into_iter().flatten();
        fields
            .map(|(key, value)| (key.as_str(), self.at(key, value)))
            .collect()
    }

    /// Returns the elements of a list; none if it is something else.
    pub(super) fn items(&self) -> Vec<Self> {
        let items = self.value.as_array().into_iter().flatten();
        items
            .enumerate()
            .map(|(index, value)| self.at(&index.to_string(), value))
            .collect()
    }

    pub(super) fn text(&self, key: &str) -> Option<&'a str> {
        self.value.get(key)?.as_str()
    }

    pub(super) fn flag(&self, key: &str) -> bool {
        self.value.get(key).and_then(Value::as_bool) == Some(true)
    }

    pub(super) fn problem(&self, message: impl Into<String>) -> Problem {
        Problem::new(self.pointer.clone(), message)
    }

    fn at(&self, key: &str, value: &'a Value) -> Self {
        Self {
            value,
            pointer: format!("{}/{}", self.pointer, escape(key)),
        }
    }
}

/// Writes a key as a part of a JSON pointer.
fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
