//! Failed requests: an HTTP status and an error from Capstan's taxonomy.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use capstan_core::{ErrorCode, ResultError};
use capstan_wire::Problem;

use super::response::{ApiResponse, Content};

#[derive(Clone, Debug)]
pub(super) struct ApiError {
    status: StatusCode,
    error: ResultError,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            status,
            error: ResultError::new(code, message),
        }
    }

    /// Returns the error for a malformed request: `VALIDATION`, status 400.
    pub(super) fn validation(message: impl Into<String>) -> Self {
        ResultError::new(ErrorCode::Validation, message).into()
    }

    /// Returns the error for a bug in Capstan: `UNKNOWN`, status 500.
    pub(super) fn internal(message: &str) -> Self {
        ResultError::new(ErrorCode::Unknown, message).into()
    }
}

impl From<ResultError> for ApiError {
    fn from(error: ResultError) -> Self {
        Self {
            status: status_for(error.code),
            error,
        }
    }
}

impl From<Problem> for ApiError {
    fn from(problem: Problem) -> Self {
        let (field, what) = (problem.path(), &problem.problem);
        ResultError::new(ErrorCode::Validation, format!("`{field}` {what}"))
            .with_detail("fields", vec![json!({"field": field, "problem": what})])
            .into()
    }
}

impl From<ApiError> for ApiResponse {
    fn from(error: ApiError) -> Self {
        let content = json!({"ok": false, "error": error.error});
        ApiResponse::new(error.status, Content::Json(content))
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        ApiResponse::from(self).into_response()
    }
}

fn status_for(code: ErrorCode) -> StatusCode {
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
