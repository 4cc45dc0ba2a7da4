//! Faults that damage the response of a request that was executed.

use http::StatusCode;
use serde_json::{Map, Value, json};

use super::call::{Api, Call};
use super::connection::ConnectionAction;
use super::fault::{Cut, FaultKind};
use super::log::Transport;
use super::refuse::bad_gateway;
use super::response::HttpResponse;
use crate::graphql::null_one_field;

/// Applies a fault to the response of a request that was executed.
pub(super) fn damage_response(
    kind: &FaultKind,
    response: HttpResponse,
    call: &Call,
) -> ConnectionAction {
    let transport = call.seen.transport;
    let damaged = match kind {
        FaultKind::HangAfter => return ConnectionAction::Hang,
        FaultKind::ResetAfter => return ConnectionAction::Reset,
        FaultKind::CutAfterWrites { then, .. } => match then {
            Cut::Hang => return ConnectionAction::Hang,
            Cut::Reset => return ConnectionAction::Reset,
            Cut::Status502 => bad_gateway(),
        },
        FaultKind::Truncated => return ConnectionAction::Truncate(response),
        FaultKind::PartialError { field } => match &call.api {
            Api::Graphql(request) => match null_one_field(request, &response.body) {
                Some(body) => HttpResponse::json(response.status, &body),
                None => response,
            },
            Api::Rest { .. } | Api::Storage => without_field(response, field.as_deref()),
        },
        FaultKind::Html200 => HttpResponse::html(
            StatusCode::OK,
            "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Please sign in to continue.</body></html>\n",
        ),
        FaultKind::DataString => HttpResponse::json(StatusCode::OK, &json!({ "data": "null" })),
        FaultKind::Huge { bytes } => {
            HttpResponse::json_text(StatusCode::OK, huge(transport, *bytes))
        }
        FaultKind::NotJson => {
            HttpResponse::json_text(StatusCode::OK, "{\"data\": {oops".to_owned())
        }
        _ => response,
    };
    ConnectionAction::Respond(damaged)
}

/// Fields that identify a REST object, most important first. Clients can hardly do without them.
const IDENTIFYING: [&str; 7] = [
    "number",
    "tag_name",
    "full_name",
    "name",
    "merged",
    "sha",
    "id",
];

/// Removes `field`, or else the first identifying field, from the first object of the body.
fn without_field(response: HttpResponse, field: Option<&str>) -> HttpResponse {
    let Ok(mut body) = serde_json::from_slice::<Value>(&response.body) else {
        return response;
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
    HttpResponse {
        body: body.to_string().into(),
        ..response
    }
}

/// Returns the object itself, the first item of a list, or the first item of the list in a counted page.
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

/// Builds the text directly: serializing a value of many megabytes takes seconds in a debug build.
fn huge(transport: Transport, bytes: usize) -> String {
    let padding = "x".repeat(bytes);
    match transport {
        Transport::Graphql => format!("{{\"data\":{{\"padding\":\"{padding}\"}}}}"),
        Transport::Rest | Transport::Storage => format!("{{\"padding\":\"{padding}\"}}"),
    }
}
