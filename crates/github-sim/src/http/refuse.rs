//! Responses of the faults that refuse a request.

use http::StatusCode;
use serde_json::json;

use super::connection::ConnectionAction;
use super::fault::FaultKind;
use super::log::Transport;
use super::rate_limit::{Budget, Resource};
use super::response::HttpResponse;

const REST_DOCS: &str = "https://docs.github.com/rest";
const SECONDARY_DOCS: &str = "https://docs.github.com/free-pro-team@latest/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits";
const LIMIT_DOCS: &str =
    "https://docs.github.com/rest/overview/resources-in-the-rest-api#rate-limiting";
const SECONDARY: &str = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to GitHub Support for help, please include the request ID SIM:0001.";

/// GitHub's error page for a request that timed out.
const UNICORN: &str = "<!DOCTYPE html>\n<html>\n  <head><title>Unicorn! &middot; GitHub</title></head>\n  <body>\n    <h1>We couldn't respond to your request in time.</h1>\n    <p>Sorry about that. Please try refreshing and contact us if the problem persists.</p>\n  </body>\n</html>\n";

/// Returns the action of a fault that refuses requests; `None` for kinds that execute the request first.
pub(crate) fn refusal_for(
    kind: &FaultKind,
    transport: Transport,
    resource: Resource,
) -> Option<ConnectionAction> {
    let response = match kind {
        FaultKind::HangBefore => return Some(ConnectionAction::Hang),
        FaultKind::ResetBefore => return Some(ConnectionAction::Reset),
        FaultKind::Status401 => {
            HttpResponse::rest_error(StatusCode::UNAUTHORIZED, "Bad credentials", REST_DOCS)
        }
        FaultKind::Status403Scope => missing_scope(transport),
        FaultKind::Status403Secondary { retry_after } => {
            secondary_limit(StatusCode::FORBIDDEN, *retry_after)
        }
        FaultKind::Status429 { retry_after } => {
            secondary_limit(StatusCode::TOO_MANY_REQUESTS, *retry_after)
        }
        FaultKind::Status500 => HttpResponse::json(
            StatusCode::INTERNAL_SERVER_ERROR,
            &json!({ "message": "Server Error" }),
        ),
        FaultKind::Status502Html => bad_gateway(),
        FaultKind::Status503 => HttpResponse::json(
            StatusCode::SERVICE_UNAVAILABLE,
            &json!({ "message": "No server is currently available to service your request. Sorry about that. Please try resubmitting your request and contact us if the problem persists." }),
        ),
        FaultKind::PrimaryLimit { reset_in } => primary_limit(transport, resource, *reset_in),
        FaultKind::TooMany { .. } => bad_gateway(),
        FaultKind::GraphqlError {
            error_type,
            message,
            path: None,
        } => HttpResponse::json(
            StatusCode::OK,
            &json!({ "errors": [{
                "type": error_type,
                "locations": [{ "line": 1, "column": 1 }],
                "message": message,
            }] }),
        ),
        FaultKind::Latency { .. }
        | FaultKind::HangAfter
        | FaultKind::ResetAfter
        | FaultKind::Truncated
        | FaultKind::PartialError { .. }
        | FaultKind::Html200
        | FaultKind::DataString
        | FaultKind::Huge { .. }
        | FaultKind::NotJson
        | FaultKind::GraphqlError { path: Some(_), .. }
        | FaultKind::PathlessError { .. }
        | FaultKind::RootFailure { .. }
        | FaultKind::CutAfterWrites { .. }
        | FaultKind::SlowPerField { .. } => return None,
    };
    Some(ConnectionAction::Respond(response))
}

/// Returns GitHub's 502 page for a request that timed out.
pub(crate) fn bad_gateway() -> HttpResponse {
    HttpResponse::html(StatusCode::BAD_GATEWAY, UNICORN)
}

fn missing_scope(transport: Transport) -> HttpResponse {
    match transport {
        Transport::Rest | Transport::Storage => HttpResponse::rest_error(
            StatusCode::FORBIDDEN,
            "Resource not accessible by personal access token",
            REST_DOCS,
        ),
        Transport::Graphql => HttpResponse::json(
            StatusCode::OK,
            &json!({ "errors": [{
                "type": "INSUFFICIENT_SCOPES",
                "locations": [{ "line": 1, "column": 1 }],
                "message": "Your token has not been granted the required scopes to execute this query. The 'id' field requires one of the following scopes: ['repo'], but your token has only been granted the: ['gist'] scopes. Please modify your token's scopes at: https://github.com/settings/tokens.",
            }] }),
        ),
    }
}

fn secondary_limit(status: StatusCode, retry_after: Option<u64>) -> HttpResponse {
    let response = HttpResponse::rest_error(status, SECONDARY, SECONDARY_DOCS);
    match retry_after {
        Some(seconds) => response.with_header("retry-after", seconds),
        None => response,
    }
}

fn primary_limit(transport: Transport, resource: Resource, reset_in: u64) -> HttpResponse {
    let response = match transport {
        Transport::Rest | Transport::Storage => HttpResponse::rest_error(
            StatusCode::FORBIDDEN,
            "API rate limit exceeded for user ID 1001.",
            LIMIT_DOCS,
        ),
        Transport::Graphql => HttpResponse::json(
            StatusCode::OK,
            &json!({ "errors": [{
                "type": "RATE_LIMITED",
                "message": "API rate limit exceeded for user ID 1001.",
            }] }),
        ),
    };
    Budget::exhausted(resource, reset_in).add_headers(response)
}
