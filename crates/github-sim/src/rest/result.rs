//! Results of REST handlers: status codes and GitHub's error bodies.

use http::StatusCode;
use serde_json::{Value, json};

use crate::http::HttpResponse;
use crate::world::{Problem, Refusal};

const DOCS: &str = "https://docs.github.com/rest";

/// The result of a REST handler.
pub(crate) type RestResult = Result<HttpResponse, RestError>;

/// The reason why a REST request fails.
#[derive(Debug)]
pub(crate) enum RestError {
    NotFound,
    /// No handler is responsible. Answered from GitHub's examples if the operation is documented.
    Unrouted,
    Refused(Refusal),
    /// A field of the body is wrong.
    Validation(Value),
    /// Another error, with status and message.
    Other(StatusCode, String),
}

impl RestError {
    pub(crate) fn missing(resource: &str, field: &str) -> Self {
        Self::field(resource, field, "missing_field")
    }

    pub(crate) fn invalid(resource: &str, field: &str) -> Self {
        Self::field(resource, field, "invalid")
    }

    pub(crate) fn already_exists(resource: &str, field: &str) -> Self {
        Self::field(resource, field, "already_exists")
    }

    fn field(resource: &str, field: &str, code: &str) -> Self {
        Self::Validation(json!({ "resource": resource, "field": field, "code": code }))
    }

    pub(crate) fn into_response(self) -> HttpResponse {
        match self {
            Self::NotFound | Self::Unrouted => {
                HttpResponse::rest_error(StatusCode::NOT_FOUND, "Not Found", DOCS)
            }
            Self::Refused(refusal) => refused(&refusal),
            Self::Validation(error) => validation_failed(&error),
            Self::Other(status, message) => HttpResponse::rest_error(status, &message, DOCS),
        }
    }
}

impl From<Refusal> for RestError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

pub(crate) fn ok(body: &Value) -> RestResult {
    Ok(HttpResponse::json(StatusCode::OK, body))
}

pub(crate) fn created(body: &Value) -> RestResult {
    let response = HttpResponse::json(StatusCode::CREATED, body);
    Ok(match body["url"].as_str() {
        Some(location) => response.with_header("location", location),
        None => response,
    })
}

pub(crate) fn no_content() -> RestResult {
    Ok(HttpResponse::empty(StatusCode::NO_CONTENT))
}

fn refused(refusal: &Refusal) -> HttpResponse {
    match refusal {
        Refusal::NotFound(_) => RestError::NotFound.into_response(),
        // For a missing permission REST has its own message, without the name of the GraphQL action.
        Refusal::Forbidden(message) if message.contains("to execute `") => {
            HttpResponse::rest_error(
                StatusCode::FORBIDDEN,
                "Must have admin rights to Repository.",
                DOCS,
            )
        }
        Refusal::Forbidden(message) => {
            HttpResponse::rest_error(StatusCode::FORBIDDEN, message, DOCS)
        }
        Refusal::InsufficientScopes { .. } => HttpResponse::rest_error(
            StatusCode::FORBIDDEN,
            "Resource not accessible by personal access token",
            DOCS,
        ),
        Refusal::Unprocessable(problem) if problem.resource == "PullRequestReview" => {
            unprocessable(problem)
        }
        Refusal::Unprocessable(problem) => validation_failed(&entry(problem)),
        Refusal::NotMergeable(message) => {
            HttpResponse::rest_error(StatusCode::METHOD_NOT_ALLOWED, message, DOCS)
        }
        Refusal::StaleHead(message) => {
            HttpResponse::rest_error(StatusCode::CONFLICT, message, DOCS)
        }
        Refusal::Gone(message) => HttpResponse::rest_error(StatusCode::GONE, message, DOCS),
    }
}

/// Returns the entry for a validation error in the `errors` list.
fn entry(problem: &Problem) -> Value {
    let mut entry = json!({ "resource": problem.resource, "code": problem.code });
    if !problem.field.is_empty() {
        entry["field"] = json!(problem.field);
    }
    if problem.code == "custom" || problem.code == "unprocessable" {
        entry["message"] = json!(problem.message);
    }
    entry
}

/// Returns the response of the reviews API, which lists errors as plain texts.
fn unprocessable(problem: &Problem) -> HttpResponse {
    HttpResponse::json(
        StatusCode::UNPROCESSABLE_ENTITY,
        &json!({
            "message": "Unprocessable Entity",
            "errors": [problem.message],
            "documentation_url": DOCS,
            "status": "422",
        }),
    )
}

fn validation_failed(error: &Value) -> HttpResponse {
    HttpResponse::json(
        StatusCode::UNPROCESSABLE_ENTITY,
        &json!({
            "message": "Validation Failed",
            "errors": [error],
            "documentation_url": DOCS,
            "status": "422",
        }),
    )
}
