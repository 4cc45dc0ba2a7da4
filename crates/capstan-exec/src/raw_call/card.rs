//! Makes the card for one raw call.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use capstan_core::card::{Card, Operation, Output, RequestKind};
use capstan_core::{ErrorCode, ResultError};

use super::{graphql, rest};
use crate::prepare::reference;

/// The part of an input that cannot be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BadPart {
    pub(super) field: String,
    pub(super) problem: String,
}

impl BadPart {
    pub(super) fn new(field: &str, problem: impl Into<String>) -> Self {
        Self {
            field: field.to_owned(),
            problem: problem.into(),
        }
    }
}

/// Returns the card that runs with this input: for a raw call a card with the request that the input describes, and the
/// operation of this request; else the card itself. The parts of the input that decide what is sent must be written
/// out, so that it is known before anything runs; all other values may refer to earlier steps.
pub fn card_for(card: &Arc<Card>, input: &Map<String, Value>) -> Result<Arc<Card>, ResultError> {
    let Some(kind) = card.request else {
        return Ok(Arc::clone(card));
    };
    let made = match kind {
        RequestKind::Rest => rest::route(input).map(|route| Card {
            operation: route.call.operation,
            rest: Some(route),
            ..Card::clone(card)
        }),
        RequestKind::Graphql => graphql::route(input).map(|route| Card {
            operation: route.document.operation,
            graphql: Some(route),
            ..Card::clone(card)
        }),
    };
    let made = made.and_then(|made| {
        if made.operation == Operation::Write && card.operation == Operation::Read {
            let (field, what) = match kind {
                RequestKind::Rest => ("method", "this method writes"),
                RequestKind::Graphql => ("query", "it is a mutation"),
            };
            let problem = format!("cannot be sent: {what}, and {} only reads", card.id);
            return Err(BadPart::new(field, problem));
        }
        Ok(made)
    });
    made.map(Arc::new).map_err(|bad| {
        let BadPart { field, problem } = bad;
        let message = format!("bad input for {}: `{field}` {problem}", card.id);
        let fields = json!([{"field": field, "problem": problem}]);
        ResultError::new(ErrorCode::Validation, message).with_detail("fields", fields)
    })
}

/// Returns the names of the `{blanks}` in the path of a raw call.
pub fn path_placeholders(card: &Card, input: &Map<String, Value>) -> Vec<String> {
    let path = input.get("path").and_then(Value::as_str);
    match (card.request, path) {
        (Some(RequestKind::Rest), Some(path)) => rest::blanks(path).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// Returns whether a card sends the same kind of request as a raw call: the same method to an address that may be the
/// same, or one of the same mutations. `made` is the card of the raw call.
pub fn sends_same_request(made: &Card, card: &Card) -> bool {
    if made.service != card.service {
        return false;
    }
    if let (Some(RequestKind::Rest), Some(call)) = (made.request, &made.rest) {
        let other = card.rest.as_ref();
        return other.is_some_and(|other| rest::may_be_same(&call.call, &other.call));
    }
    match (made.request, &made.graphql, &card.graphql) {
        (Some(RequestKind::Graphql), Some(call), Some(other)) => {
            call.document.operation == Operation::Write
                && other.document.operation == Operation::Write
                && graphql::share_a_field(&call.document.text, &other.document.text)
        }
        _ => false,
    }
}

/// Returns the mapping of an answer that is taken as it is.
pub(super) fn whole_answer() -> Output {
    Output {
        is_whole_answer: true,
        ..Output::default()
    }
}

/// Returns a text that decides what is sent. It cannot come from another step.
pub(super) fn written_text<'a>(
    input: &'a Map<String, Value>,
    field: &str,
) -> Result<Option<&'a str>, BadPart> {
    match input.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if reference::is_reference(text) => Err(BadPart::new(
            field,
            "cannot refer to a step, because it decides what is sent: write it out",
        )),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(BadPart::new(field, "is not a text")),
    }
}

/// Returns an object whose names decide what is sent. Its values may refer to steps.
pub(super) fn written_object<'a>(
    input: &'a Map<String, Value>,
    field: &str,
) -> Result<Option<&'a Map<String, Value>>, BadPart> {
    match input.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(fields)) => Ok(Some(fields)),
        Some(Value::String(text)) if reference::is_reference(text) => Err(BadPart::new(
            field,
            "cannot refer to a step as a whole: write the names out; each value may refer to a step",
        )),
        Some(_) => Err(BadPart::new(
            field,
            "is not an object: expected names with values",
        )),
    }
}
