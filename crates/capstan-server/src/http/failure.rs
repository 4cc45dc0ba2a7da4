//! What went wrong, as a status and an error of the taxonomy.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use capstan_core::{ErrorCode, ResultError};
use capstan_wire::Problem;

use super::answer::{Answer, Content};

#[derive(Clone, Debug)]
pub(super) struct Failure {
    status: StatusCode,
    error: ResultError,
}

impl Failure {
    pub(super) fn new(status: StatusCode, code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            status,
            error: ResultError::new(code, message),
        }
    }

    /// Something in what was sent is wrong.
    pub(super) fn refused(message: impl Into<String>) -> Self {
        ResultError::new(ErrorCode::Validation, message).into()
    }
}

impl From<ResultError> for Failure {
    fn from(error: ResultError) -> Self {
        Self {
            status: status(error.code),
            error,
        }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        let (field, what) = (problem.path(), &problem.problem);
        ResultError::new(ErrorCode::Validation, format!("`{field}` {what}"))
            .with_detail("fields", vec![json!({"field": field, "problem": what})])
            .into()
    }
}

impl From<Failure> for Answer {
    fn from(failure: Failure) -> Self {
        let content = json!({"ok": false, "error": failure.error});
        Answer::of(failure.status, Content::Json(content))
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        Answer::from(self).into_response()
    }
}

fn status(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::Validation => StatusCode::BAD_REQUEST,
        ErrorCode::Auth => StatusCode::UNAUTHORIZED,
        ErrorCode::Policy => StatusCode::FORBIDDEN,
        ErrorCode::NotFound => StatusCode::NOT_FOUND,
        ErrorCode::Conflict => StatusCode::CONFLICT,
        ErrorCode::RateLimit => StatusCode::TOO_MANY_REQUESTS,
        ErrorCode::Unknown => StatusCode::INTERNAL_SERVER_ERROR,
        ErrorCode::AdapterUnsupported => StatusCode::NOT_IMPLEMENTED,
        ErrorCode::Network | ErrorCode::Server => StatusCode::BAD_GATEWAY,
        ErrorCode::Cancelled => StatusCode::SERVICE_UNAVAILABLE,
        ErrorCode::Timeout => StatusCode::GATEWAY_TIMEOUT,
    }
}
