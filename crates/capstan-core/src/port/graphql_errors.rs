//! What the errors of a GraphQL answer mean for the whole request and for each root field.

use serde_json::{Map, Value};

use super::{Failure, PartialError};
use crate::Outcome;

impl Failure {
    /// Returns the failure of an answer with errors and without data; `None` if there are no errors. The first error of
    /// the lowest rank represents all. If one leaves the outcome unknown, the whole request has an unknown outcome.
    pub fn from_errors<R: Ord>(
        errors: Vec<PartialError>,
        rank: impl Fn(&Failure) -> R,
    ) -> Option<Self> {
        let failures = || errors.iter().map(|error| &*error.failure);
        let outcome = failures()
            .map(|failure| failure.outcome)
            .find(|outcome| *outcome != Outcome::NotApplied)
            .unwrap_or(Outcome::NotApplied);
        let too_much = failures().any(|failure| failure.too_much);
        let representative = failures().min_by_key(|failure| rank(failure))?.clone();
        Some(Self {
            outcome,
            too_much,
            errors,
            ..representative
        })
    }
}

impl PartialError {
    /// Returns an error that came beside data. Its outcome is that of its own root field.
    pub fn beside_data(mut failure: Failure, path: Vec<String>, data: &Map<String, Value>) -> Self {
        match path.split_first() {
            // The field has a value, so it ran.
            Some((root, _)) if data.get(root).is_some_and(|field| !field.is_null()) => {
                failure.outcome = Outcome::Applied;
            }
            // It ran, but an error below it made it null.
            Some((_, [_, ..])) => failure.outcome = Outcome::Unknown,
            _ => {}
        }
        Self {
            failure: Box::new(failure),
            path,
        }
    }

    /// Returns the response path of an error, with numbers as text; empty if it has none.
    pub fn path_of(error: &Value) -> Vec<String> {
        let parts = error.get("path").and_then(Value::as_array);
        let text = |part: &Value| match part {
            Value::String(name) => name.clone(),
            other => other.to_string(),
        };
        parts.into_iter().flatten().map(text).collect()
    }
}
