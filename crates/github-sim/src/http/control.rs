//! The control endpoint `/_sim`: injects faults and reads the request log from outside the process.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::fault::Fault;
use super::response::HttpResponse;
use crate::sim::Shared;
use crate::world::Downloads;

/// Handles a request to `/_sim{path}`. Such requests need no token, are not logged and are never hit by a fault.
pub(crate) fn handle(shared: &Shared, method: &Method, path: &str, body: &[u8]) -> HttpResponse {
    match (method.as_str(), path) {
        ("GET", "/faults") => HttpResponse::json(StatusCode::OK, &json!(shared.faults.all())),
        ("POST", "/faults") => match read_faults(body) {
            Ok(faults) => {
                let count = faults.len();
                for fault in faults {
                    shared.faults.inject(fault);
                }
                HttpResponse::json(StatusCode::CREATED, &json!({ "injected": count }))
            }
            Err(message) => HttpResponse::json(
                StatusCode::UNPROCESSABLE_ENTITY,
                &json!({ "message": message }),
            ),
        },
        ("DELETE", "/faults") => {
            shared.faults.clear();
            HttpResponse::empty(StatusCode::NO_CONTENT)
        }
        ("GET", "/requests") => HttpResponse::json(StatusCode::OK, &json!(shared.log.all())),
        ("DELETE", "/requests") => {
            shared.log.clear();
            HttpResponse::empty(StatusCode::NO_CONTENT)
        }
        ("GET", "/downloads") => {
            let downloads = shared.world(|world| world.memory.downloads);
            HttpResponse::json(StatusCode::OK, &json!(downloads))
        }
        ("PUT", "/downloads") => match serde_json::from_slice::<Downloads>(body) {
            Ok(downloads) => {
                shared.world(|world| world.memory.downloads = downloads);
                HttpResponse::json(StatusCode::OK, &json!(downloads))
            }
            Err(error) => HttpResponse::json(
                StatusCode::UNPROCESSABLE_ENTITY,
                &json!({ "message": error.to_string() }),
            ),
        },
        _ => HttpResponse::json(
            StatusCode::NOT_FOUND,
            &json!({ "message": "the control endpoint has /_sim/faults (GET, POST, DELETE), /_sim/requests (GET, DELETE) and /_sim/downloads (GET, PUT)" }),
        ),
    }
}

/// Parses one fault or an array of faults.
fn read_faults(body: &[u8]) -> Result<Vec<Fault>, String> {
    let value: Value = serde_json::from_slice(body).map_err(|e| format!("not JSON: {e}"))?;
    match value {
        Value::Array(faults) => faults.into_iter().map(Fault::from_json).collect(),
        fault => Ok(vec![Fault::from_json(fault)?]),
    }
}
