//! What faults do in the middle of an execution: errors at chosen places, and a batch that is cut short.

use super::answer::Failure;
use super::field::Field;
use apollo_compiler::response::GraphQLError;
use serde_json::{Map, Value, json};

/// What an internal error of GitHub's says.
pub(crate) const INTERNAL: &str = "Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug. Please include `51A0:0001:2F5C3B:31D7A4:6A1D0001` when reporting this issue.";

/// How an execution is disturbed; by default not at all.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interference {
    pub(crate) planted: Vec<Planted>,
    /// Of a mutation, only so many root fields are executed.
    pub(crate) cut_after: Option<usize>,
}

/// An error that would not be there otherwise.
#[derive(Debug, Clone)]
pub(crate) struct Planted {
    pub(crate) place: Place,
    pub(crate) error_type: Option<String>,
    pub(crate) message: String,
    pub(crate) path: ErrorPath,
}

/// Where an error strikes.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    /// The root fields of these aliases fail; carried out or not.
    Root {
        aliases: Vec<String>,
        carried_out: bool,
    },
    /// What this path leads to is lost from an answer that is whole otherwise.
    Inside(Vec<Value>),
    /// It stands beside the data.
    Nowhere,
}

/// What an error says about its place.
#[derive(Debug, Clone)]
pub(crate) enum ErrorPath {
    /// Where it happened.
    True,
    Given(Vec<Value>),
    Absent,
}

impl Interference {
    /// The error that makes this root field fail, if one does.
    pub(super) fn failing(&self, field: &Field<'_>) -> Option<Failing> {
        let alias = field.response_key();
        let mut planted = self.planted.iter().enumerate();
        planted.find_map(|(index, planted)| match &planted.place {
            Place::Root {
                aliases,
                carried_out,
            } if aliases.contains(&alias) => Some(Failing {
                failure: Failure::new(PLANTED, index.to_string()),
                carried_out: *carried_out,
            }),
            _ => None,
        })
    }

    /// The error that stands for a [`Failing`]'s failure, which the engine reports by its message.
    pub(super) fn rendered(
        &self,
        kind: &str,
        index: &str,
        reported: &GraphQLError,
    ) -> Option<Value> {
        if kind != PLANTED {
            return None;
        }
        let planted = self.planted.get(index.parse::<usize>().ok()?)?;
        Some(planted.render(&json!(reported.path), &json!(reported.locations)))
    }

    /// The errors that do not make a root field fail, each with the place in the data that it takes.
    pub(super) fn beside(&self) -> impl Iterator<Item = (&[Value], Value)> {
        self.planted.iter().filter_map(|planted| {
            let place = match &planted.place {
                Place::Root { .. } => return None,
                Place::Inside(path) => path.as_slice(),
                Place::Nowhere => &[],
            };
            let locations = json!([{ "line": 1, "column": 1 }]);
            Some((place, planted.render(&json!(place), &locations)))
        })
    }
}

/// A root field that fails by interference.
pub(super) struct Failing {
    pub(super) failure: Failure,
    pub(super) carried_out: bool,
}

impl Planted {
    fn render(&self, place: &Value, locations: &Value) -> Value {
        let mut error = Map::new();
        if let Some(kind) = &self.error_type {
            error.insert("type".to_owned(), Value::from(kind.as_str()));
        }
        match &self.path {
            ErrorPath::True => {
                error.insert("path".to_owned(), place.clone());
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

/// The type of a failure whose message is the number of a planted error. None of GitHub's types looks like it.
const PLANTED: &str = "\u{0}";
