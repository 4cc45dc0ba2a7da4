//! The control endpoint `/_sim`: injects faults and reads the request log from outside the process.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::answer::Answer;
use super::fault::Fault;
use crate::sim::Shared;

/// Answers a request to `/_sim{path}`. These need no token, are not logged and are hit by no fault.
pub(crate) fn handle(shared: &Shared, method: &Method, path: &str, body: &[u8]) -> Answer {
    match (method.as_str(), path) {
        ("GET", "/faults") => Answer::json(StatusCode::OK, &json!(shared.faults.all())),
        ("POST", "/faults") => match read_faults(body) {
            Ok(faults) => {
                let count = faults.len();
                for fault in faults {
                    shared.faults.inject(fault);
                }
                Answer::json(StatusCode::CREATED, &json!({ "injected": count }))
            }
            Err(message) => Answer::json(
                StatusCode::UNPROCESSABLE_ENTITY,
                &json!({ "message": message }),
            ),
        },
        ("DELETE", "/faults") => {
            shared.faults.clear();
            Answer::empty(StatusCode::NO_CONTENT)
        }
        ("GET", "/requests") => Answer::json(StatusCode::OK, &json!(shared.log.all())),
        ("DELETE", "/requests") => {
            shared.log.clear();
            Answer::empty(StatusCode::NO_CONTENT)
        }
        _ => Answer::json(
            StatusCode::NOT_FOUND,
            &json!({ "message": "the control endpoint has /_sim/faults (GET, POST, DELETE) and /_sim/requests (GET, DELETE)" }),
        ),
    }
}

/// One fault, or an array of them.
fn read_faults(body: &[u8]) -> Result<Vec<Fault>, String> {
    let value: Value = serde_json::from_slice(body).map_err(|e| format!("not JSON: {e}"))?;
    match value {
        Value::Array(faults) => faults.into_iter().map(Fault::from_json).collect(),
        fault => Ok(vec![Fault::from_json(fault)?]),
    }
}
