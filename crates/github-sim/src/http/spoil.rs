//! What faults do to the answer of a request that was carried out.

use http::StatusCode;
use serde_json::{Map, Value, json};

use super::answer::Answer;
use super::call::{Api, Call};
use super::connection::Reaction;
use super::fault::{Cut, FaultKind};
use super::log::Transport;
use super::refuse::bad_gateway;
use crate::graphql::lose_a_field;

/// Turns a good answer into what the fault makes of it.
pub(super) fn spoil(kind: &FaultKind, answer: Answer, call: &Call) -> Reaction {
    let transport = call.seen.transport;
    let spoilt = match kind {
        FaultKind::HangAfter => return Reaction::Hang,
        FaultKind::ResetAfter => return Reaction::Reset,
        FaultKind::CutAfterWrites { then, .. } => match then {
            Cut::Hang => return Reaction::Hang,
            Cut::Reset => return Reaction::Reset,
            Cut::Status502 => bad_gateway(),
        },
        FaultKind::Truncated => return Reaction::Truncate(answer),
        FaultKind::PartialError { field } => match &call.api {
            Api::Graphql(request) => match lose_a_field(request, &answer.body) {
                Some(body) => Answer::json(answer.status, &body),
                None => answer,
            },
            Api::Rest { .. } => without_field(answer, field.as_deref()),
        },
        FaultKind::Html200 => Answer::html(
            StatusCode::OK,
            "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Please sign in to continue.</body></html>\n",
        ),
        FaultKind::DataString => Answer::json(StatusCode::OK, &json!({ "data": "null" })),
        FaultKind::Huge { bytes } => Answer::json_text(StatusCode::OK, huge(transport, *bytes)),
        FaultKind::NotJson => Answer::json_text(StatusCode::OK, "{\"data\": {oops".to_owned()),
        _ => answer,
    };
    Reaction::Answer(spoilt)
}

/// Fields that identify a REST object, most telling first; a client can hardly do without them.
const IDENTIFYING: [&str; 7] = [
    "number",
    "tag_name",
    "full_name",
    "name",
    "merged",
    "sha",
    "id",
];

fn without_field(answer: Answer, field: Option<&str>) -> Answer {
    let Ok(mut body) = serde_json::from_slice::<Value>(&answer.body) else {
        return answer;
    };
    if let Some(object) = first_object(&mut body) {
        let chosen = field.map(str::to_owned).or_else(|| {
            IDENTIFYING
                .iter()
                .find(|name| object.contains_key(**name))
                .map(|name| (*name).to_owned())
        });
        if let Some(name) = chosen {
            object.shift_remove(&name);
        }
    }
    Answer {
        body: body.to_string().into(),
        ..answer
    }
}

/// The object itself, a list's first item, or the first item of the list in a counted page.
fn first_object(body: &mut Value) -> Option<&mut Map<String, Value>> {
    match body {
        Value::Array(items) => items.first_mut()?.as_object_mut(),
        Value::Object(object) => {
            if object.contains_key("total_count") {
                let items = object.values_mut().find_map(Value::as_array_mut)?;
                items.first_mut()?.as_object_mut()
            } else {
                Some(object)
            }
        }
        _ => None,
    }
}

/// Written as text, since building and printing a value of many megabytes takes seconds in a debug build.
fn huge(transport: Transport, bytes: usize) -> String {
    let padding = "x".repeat(bytes);
    match transport {
        Transport::Graphql => format!("{{\"data\":{{\"padding\":\"{padding}\"}}}}"),
        Transport::Rest => format!("{{\"padding\":\"{padding}\"}}"),
    }
}
