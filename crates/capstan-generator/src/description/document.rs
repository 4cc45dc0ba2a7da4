//! A description as JSON, in which references are followed.

use capstan_catalog::yaml;
use percent_encoding::percent_decode_str;
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
    /// Whether it describes a service, so that nobody has decided about what is unusual in it.
    is_of_service: bool,
}

/// A method with a path, and the operation, or why it cannot be read.
pub(crate) type ReadOperation = (String, Result<Operation, Problem>);

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
        Self {
            root,
            is_of_service: false,
        }
    }

    /// Parses the description of a service, as JSON or YAML.
    pub fn for_service(text: &str) -> Result<Self, Problem> {
        let text = text.trim_start_matches('\u{feff}');
        let is_json = text.trim_start().starts_with('{');
        let root: Value = if is_json {
            let parsed = serde_json::from_str(text);
            parsed.map_err(|error| Problem::new("/", format!("not JSON: {error}")))?
        } else {
            yaml::large_document(text)
                .map_err(|error| Problem::new("/", format!("neither JSON nor YAML: {error}")))?
        };
        if root.get("swagger").is_some() {
            let message = "this is Swagger 2.0: convert it to OpenAPI 3 first";
            return Err(Problem::new("/swagger", message));
        }
        let version = root.get("openapi").and_then(Value::as_str);
        match version {
            Some(version) if version.starts_with("3.") => Ok(Self {
                root,
                is_of_service: true,
            }),
            Some(version) => {
                let message = format!("expected OpenAPI 3.0 or 3.1, and this is {version}");
                Err(Problem::new("/openapi", message))
            }
            None => {
                let message =
                    "there is no `openapi` with a version: this is no OpenAPI description";
                Err(Problem::new("/openapi", message))
            }
        }
    }

    pub(crate) fn is_of_service(&self) -> bool {
        self.is_of_service
    }

    /// Returns the value at a JSON pointer.
    pub(crate) fn at(&self, pointer: &str) -> Option<&Value> {
        self.root.pointer(pointer)
    }

    /// Returns every operation of a service with its method and path, or why it cannot be read.
    pub(crate) fn operations_of_service(&self) -> Result<Vec<ReadOperation>, Problem> {
        let Some(paths) = self.root.get("paths").and_then(Value::as_object) else {
            return Err(Problem::new("/paths", "expected an object of paths"));
        };
        let mut all = Vec::new();
        for (path, item) in paths {
            let placed = Placed {
                value: item,
                pointer: format!("/paths/{}", escape(path)),
            };
            let item = match self.resolve(&placed) {
                Ok(item) => item,
                Err(problem) => {
                    all.push((path.clone(), Err(problem)));
                    continue;
                }
            };
            let Some(fields) = item.value.as_object() else {
                continue;
            };
            let methods = super::Method::ALL.into_iter();
            let methods = methods.filter(|method| fields.contains_key(method.key()));
            let read = self.operations_of(path, fields, &item.pointer);
            all.extend(methods.zip(read).map(|(method, read)| {
                let name = format!("{} {path}", method.name());
                (name, read)
            }));
        }
        Ok(all)
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
            let target = target.map(decoded);
            let found = target.and_then(|target| {
                let value = self.root.pointer(&target)?;
                Some((target, value))
            });
            let Some((target, value)) = found else {
                let message = format!("the reference {reference} leads nowhere");
                return Err(Problem::new(here.pointer, message));
            };
            here = Placed {
                value,
                pointer: target,
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

/// Returns a reference without the escapes of addresses.
fn decoded(reference: &str) -> String {
    percent_decode_str(reference)
        .decode_utf8_lossy()
        .into_owned()
}

/// Writes a key as a part of a JSON pointer.
fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
