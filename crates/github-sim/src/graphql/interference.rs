//! Changes that faults make to an execution: injected errors, and mutations that stop early.

use super::field::Field;
use super::value::ResolveError;
use apollo_compiler::response::GraphQLError;
use serde_json::{Map, Value, json};

/// The message of GitHub's internal errors.
pub(crate) const INTERNAL_ERROR_MESSAGE: &str = "Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug. Please include `51A0:0001:2F5C3B:31D7A4:6A1D0001` when reporting this issue.";

/// The changes that faults make to an execution; by default none.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interference {
    pub(crate) errors: Vec<InjectedError>,
    /// The maximum number of root fields of a mutation to execute.
    pub(crate) cut_after: Option<usize>,
}

/// An error that a fault adds to the response.
#[derive(Debug, Clone)]
pub(crate) struct InjectedError {
    pub(crate) target: ErrorTarget,
    pub(crate) error_type: Option<String>,
    pub(crate) message: String,
    pub(crate) path: ErrorPath,
}

/// The part of the response that an error affects.
#[derive(Debug, Clone)]
pub(crate) enum ErrorTarget {
    /// The root fields with these aliases fail, executed or not.
    Root {
        aliases: Vec<String>,
        executed: bool,
    },
    /// The value at this path becomes null; the rest of the response is unchanged.
    Inside(Vec<Value>),
    /// No data is affected.
    Nowhere,
}

/// The `path` that an error reports.
#[derive(Debug, Clone)]
pub(crate) enum ErrorPath {
    /// The path of the affected field.
    Actual,
    Given(Vec<Value>),
    Absent,
}

impl Interference {
    /// Returns the error that makes this root field fail, if there is one.
    pub(super) fn failing_root_field(&self, field: &Field<'_>) -> Option<FailingRootField> {
        let alias = field.response_key();
        let mut errors = self.errors.iter().enumerate();
        errors.find_map(|(index, injected)| match &injected.target {
            ErrorTarget::Root { aliases, executed } if aliases.contains(&alias) => {
                Some(FailingRootField {
                    error: ResolveError::new(INJECTED, index.to_string()),
                    executed: *executed,
                })
            }
            _ => None,
        })
    }

    /// Renders the injected error behind a failed root field. `index` is the message that the engine reports.
    pub(super) fn render_injected(
        &self,
        kind: &str,
        index: &str,
        reported: &GraphQLError,
    ) -> Option<Value> {
        if kind != INJECTED {
            return None;
        }
        let injected = self.errors.get(index.parse::<usize>().ok()?)?;
        Some(injected.render(&json!(reported.path), &json!(reported.locations)))
    }

    /// Returns the errors that do not make a root field fail, each with the path of the value that becomes null.
    pub(super) fn other_errors(&self) -> impl Iterator<Item = (&[Value], Value)> {
        self.errors.iter().filter_map(|injected| {
            let nulled = match &injected.target {
                ErrorTarget::Root { .. } => return None,
                ErrorTarget::Inside(path) => path.as_slice(),
                ErrorTarget::Nowhere => &[],
            };
            let locations = json!([{ "line": 1, "column": 1 }]);
            Some((nulled, injected.render(&json!(nulled), &locations)))
        })
    }
}

/// A root field that fails because of a fault.
pub(super) struct FailingRootField {
    pub(super) error: ResolveError,
    pub(super) executed: bool,
}

impl InjectedError {
    fn render(&self, actual_path: &Value, locations: &Value) -> Value {
        let mut error = Map::new();
        if let Some(kind) = &self.error_type {
            error.insert("type".to_owned(), Value::from(kind.as_str()));
        }
        match &self.path {
            ErrorPath::Actual => {
                error.insert("path".to_owned(), actual_path.clone());
            }
            ErrorPath::Given(path) => {
                error.insert("path".to_owned(), json!(path));
            }
            ErrorPath::Absent => {}
        }
        error.insert("locations".to_owned(), locations.clone());
        error.insert("message".to_owned(), Value::from(self.message.as_str()));
        Value::Object(error)
    }
}

/// The `kind` of an error whose message is the index of an injected error. No type of GitHub's looks like it.
const INJECTED: &str = "\u{0}";
