//! How REST says yes and no: statuses and GitHub's error bodies.

use http::StatusCode;
use serde_json::{Value, json};

use crate::http::Answer;
use crate::world::{Problem, Refusal};

const DOCS: &str = "https://docs.github.com/rest";

/// What a resource's handler gives back.
pub(crate) type Reply = Result<Answer, Failure>;

/// Why a REST request is not answered with what it asked for.
#[derive(Debug)]
pub(crate) enum Failure {
    NotFound,
    Refused(Refusal),
    /// One or more fields of the body are wrong.
    Validation(Value),
    /// Any other of GitHub's refusals.
    Other(StatusCode, String),
}

impl Failure {
    pub(crate) fn missing(resource: &str, field: &str) -> Self {
        Self::field(resource, field, "missing_field")
    }

    pub(crate) fn invalid(resource: &str, field: &str) -> Self {
        Self::field(resource, field, "invalid")
    }

    fn field(resource: &str, field: &str, code: &str) -> Self {
        Self::Validation(json!({ "resource": resource, "field": field, "code": code }))
    }

    pub(crate) fn into_answer(self) -> Answer {
        match self {
            Self::NotFound => Answer::refusal(StatusCode::NOT_FOUND, "Not Found", DOCS),
            Self::Refused(refusal) => refused(&refusal),
            Self::Validation(error) => validation_failed(&error),
            Self::Other(status, message) => Answer::refusal(status, &message, DOCS),
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

pub(crate) fn ok(body: &Value) -> Reply {
    Ok(Answer::json(StatusCode::OK, body))
}

pub(crate) fn created(body: &Value) -> Reply {
    let answer = Answer::json(StatusCode::CREATED, body);
    Ok(match body["url"].as_str() {
        Some(location) => answer.with("location", location),
        None => answer,
    })
}

pub(crate) fn no_content() -> Reply {
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}

fn refused(refusal: &Refusal) -> Answer {
    match refusal {
        Refusal::NotFound(_) => Failure::NotFound.into_answer(),
        // REST names the missing right rather than the GraphQL action; other reasons it gives as they are.
        Refusal::Forbidden(message) if message.contains("to execute `") => Answer::refusal(
            StatusCode::FORBIDDEN,
            "Must have admin rights to Repository.",
            DOCS,
        ),
        Refusal::Forbidden(message) => Answer::refusal(StatusCode::FORBIDDEN, message, DOCS),
        Refusal::InsufficientScopes { .. } => Answer::refusal(
            StatusCode::FORBIDDEN,
            "Resource not accessible by personal access token",
            DOCS,
        ),
        Refusal::Unprocessable(problem) if problem.resource == "PullRequestReview" => {
            unprocessable(problem)
        }
        Refusal::Unprocessable(problem) => validation_failed(&entry(problem)),
        Refusal::NotMergeable(message) => {
            Answer::refusal(StatusCode::METHOD_NOT_ALLOWED, message, DOCS)
        }
        Refusal::StaleHead(message) => Answer::refusal(StatusCode::CONFLICT, message, DOCS),
        Refusal::Gone(message) => Answer::refusal(StatusCode::GONE, message, DOCS),
    }
}

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

/// The reviews API gives its reasons as plain texts.
fn unprocessable(problem: &Problem) -> Answer {
    Answer::json(
        StatusCode::UNPROCESSABLE_ENTITY,
        &json!({
            "message": "Unprocessable Entity",
            "errors": [problem.message],
            "documentation_url": DOCS,
            "status": "422",
        }),
    )
}

fn validation_failed(error: &Value) -> Answer {
    Answer::json(
        StatusCode::UNPROCESSABLE_ENTITY,
        &json!({
            "message": "Validation Failed",
            "errors": [error],
            "documentation_url": DOCS,
            "status": "422",
        }),
    )
}
