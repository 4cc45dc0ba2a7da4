//! The `errors` of a GraphQL answer.

use capstan_core::port::{Failure, PartialError};
use capstan_core::{ErrorCode, Outcome};
use serde_json::{Map, Value};

use super::failure::{with_head, words_of_limit};
use super::table::{self, Verdict};
use super::{Head, wait};
use crate::message;

/// Errors without data: the most telling one speaks for all.
pub(crate) fn failure_of_errors(head: &Head, errors: &[Value]) -> Failure {
    let errors: Vec<_> = errors
        .iter()
        .map(|error| PartialError {
            failure: Box::new(one(head, error, false)),
            path: path_of(error),
        })
        .collect();
    let failures = || errors.iter().map(|partial| &*partial.failure);
    // One error that leaves it open leaves the whole open.
    let outcome = failures()
        .map(|failure| failure.outcome)
        .find(|outcome| *outcome != Outcome::NotApplied)
        .unwrap_or(Outcome::NotApplied);
    let too_much = failures().any(|failure| failure.too_much);
    let telling = failures()
        .min_by_key(|failure| rank(failure.error.code))
        .cloned();
    match telling {
        Some(failure) => Failure {
            outcome,
            too_much,
            errors,
            ..failure
        },
        None => super::nonsense(
            head,
            "GitHub answered with neither data nor errors",
            Outcome::Unknown,
        ),
    }
}

/// Errors beside data, each with what it means for its own root field.
pub(crate) fn partial_errors(
    head: &Head,
    data: &Map<String, Value>,
    errors: &[Value],
) -> Vec<PartialError> {
    errors
        .iter()
        .map(|error| {
            let mut failure = one(head, error, true);
            let path = below_operation(path_of(error), data);
            failure.outcome = match path.split_first() {
                // The field has an answer: it ran.
                Some((root, _)) if data.get(root).is_some_and(|field| !field.is_null()) => {
                    Outcome::Applied
                }
                // It ran, and something below it failed and took it along.
                Some((_, [_, ..])) => Outcome::Unknown,
                _ => failure.outcome,
            };
            PartialError {
                failure: Box::new(failure),
                path,
            }
        })
        .collect()
}

fn one(head: &Head, error: &Value, beside_data: bool) -> Failure {
    let said = message::of_graphql_error(error);
    let (verdict, name) = verdict(head, error, &said, beside_data);
    let mut failure = with_head(verdict, said, head);
    if let Some(name) = name {
        let details = &mut failure.error.details;
        details.insert("github_type".to_owned(), name.into());
    }
    failure
}

fn verdict<'a>(
    head: &Head,
    error: &'a Value,
    said: &str,
    beside_data: bool,
) -> (Verdict, Option<&'a str>) {
    let code = error.pointer("/extensions/code").and_then(Value::as_str);
    if let Some(name) = error.get("type").and_then(Value::as_str) {
        // GitHub's content limits look like bad input.
        let verdict = words_of_limit(said)
            .or_else(|| table::graphql_type(name))
            .unwrap_or(table::UNKNOWN);
        return (table::refined(verdict, said), Some(name));
    }
    if let Some(verdict) = code.and_then(table::graphql_code) {
        return (verdict, code);
    }
    if error.pointer("/extensions/problems").is_some() {
        return (table::refused(ErrorCode::Validation), code);
    }
    let words = table::words(&table::GITHUB_WORDS, said);
    if code.is_some() && !beside_data {
        // Probably about the input, but a code nobody knows does not prove that nothing ran.
        let verdict = words_of_limit(said).unwrap_or(Verdict {
            outcome: Outcome::Unknown,
            ..words.unwrap_or(table::refused(ErrorCode::Validation))
        });
        return (verdict, code);
    }
    if let Some(verdict) = words {
        return (verdict, code);
    }
    // A place in the document but none in the answer: the document was refused as a whole.
    let in_document = error.get("locations").is_some() && error.get("path").is_none();
    if in_document && !beside_data {
        return (table::refused(ErrorCode::Validation), code);
    }
    // The request that failed may itself have used up the budget, so this is only a guess.
    if !beside_data && wait::budget_is_spent(head) {
        return (table::unknown(ErrorCode::RateLimit), code);
    }
    (table::UNKNOWN, code)
}

fn path_of(error: &Value) -> Vec<String> {
    let parts = error.get("path").and_then(Value::as_array);
    parts
        .into_iter()
        .flatten()
        .map(|part| match part {
            Value::String(name) => name.clone(),
            other => other.to_string(),
        })
        .collect()
}

/// GitHub now and then starts a path with the kind of the operation.
fn below_operation(mut path: Vec<String>, data: &Map<String, Value>) -> Vec<String> {
    let kind = |root: &String| matches!(root.as_str(), "query" | "mutation");
    if path.len() > 1
        && path
            .first()
            .is_some_and(|root| kind(root) && !data.contains_key(root))
    {
        path.remove(0);
    }
    path
}

/// Which of several errors explains best why there is no answer: first what concerns the whole
/// request, last what says nothing.
fn rank(code: ErrorCode) -> u8 {
    match code {
        ErrorCode::RateLimit => 0,
        ErrorCode::Auth => 1,
        ErrorCode::AdapterUnsupported => 2,
        ErrorCode::Validation => 3,
        ErrorCode::NotFound => 4,
        ErrorCode::Conflict => 5,
        ErrorCode::Server => 6,
        _ => 7,
    }
}
