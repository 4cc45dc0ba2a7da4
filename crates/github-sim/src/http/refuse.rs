//! The answers of faults that keep a request from being carried out.

use http::StatusCode;
use serde_json::json;

use super::answer::Answer;
use super::connection::Reaction;
use super::fault::FaultKind;
use super::log::Transport;
use super::rate_limit::{Budget, Resource};

const REST_DOCS: &str = "https://docs.github.com/rest";
const SECONDARY_DOCS: &str = "https://docs.github.com/free-pro-team@latest/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits";
const LIMIT_DOCS: &str =
    "https://docs.github.com/rest/overview/resources-in-the-rest-api#rate-limiting";
const SECONDARY: &str = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to GitHub Support for help, please include the request ID SIM:0001.";

/// GitHub's page for a request that its front end could not get answered.
const UNICORN: &str = "<!DOCTYPE html>\n<html>\n  <head><title>Unicorn! &middot; GitHub</title></head>\n  <body>\n    <h1>We couldn't respond to your request in time.</h1>\n    <p>Sorry about that. Please try refreshing and contact us if the problem persists.</p>\n  </body>\n</html>\n";

/// What a fault that does not act answers; `None` for kinds that act.
pub(crate) fn refuse(
    kind: &FaultKind,
    transport: Transport,
    resource: Resource,
) -> Option<Reaction> {
    let answer = match kind {
        FaultKind::HangBefore => return Some(Reaction::Hang),
        FaultKind::ResetBefore => return Some(Reaction::Reset),
        FaultKind::Status401 => {
            Answer::refusal(StatusCode::UNAUTHORIZED, "Bad credentials", REST_DOCS)
        }
        FaultKind::Status403Scope => scope(transport),
        FaultKind::Status403Secondary { retry_after } => {
            secondary(StatusCode::FORBIDDEN, *retry_after)
        }
        FaultKind::Status429 { retry_after } => {
            secondary(StatusCode::TOO_MANY_REQUESTS, *retry_after)
        }
        FaultKind::Status500 => Answer::json(
            StatusCode::INTERNAL_SERVER_ERROR,
            &json!({ "message": "Server Error" }),
        ),
        FaultKind::Status502Html => bad_gateway(),
        FaultKind::Status503 => Answer::json(
            StatusCode::SERVICE_UNAVAILABLE,
            &json!({ "message": "No server is currently available to service your request. Sorry about that. Please try resubmitting your request and contact us if the problem persists." }),
        ),
        FaultKind::PrimaryLimit { reset_in } => primary(transport, resource, *reset_in),
        FaultKind::TooMany { .. } => bad_gateway(),
        FaultKind::GraphqlError {
            error_type,
            message,
            path: None,
        } => Answer::json(
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
    Some(Reaction::Answer(answer))
}

/// The page of a front end whose server did not answer in time.
pub(crate) fn bad_gateway() -> Answer {
    Answer::html(StatusCode::BAD_GATEWAY, UNICORN)
}

fn scope(transport: Transport) -> Answer {
    match transport {
        Transport::Rest => Answer::refusal(
            StatusCode::FORBIDDEN,
            "Resource not accessible by personal access token",
            REST_DOCS,
        ),
        Transport::Graphql => Answer::json(
            StatusCode::OK,
            &json!({ "errors": [{
                "type": "INSUFFICIENT_SCOPES",
                "locations": [{ "line": 1, "column": 1 }],
                "message": "Your token has not been granted the required scopes to execute this query. The 'id' field requires one of the following scopes: ['repo'], but your token has only been granted the: ['gist'] scopes. Please modify your token's scopes at: https://github.com/settings/tokens.",
            }] }),
        ),
    }
}

fn secondary(status: StatusCode, retry_after: Option<u64>) -> Answer {
    let answer = Answer::refusal(status, SECONDARY, SECONDARY_DOCS);
    match retry_after {
        Some(seconds) => answer.with("retry-after", seconds),
        None => answer,
    }
}

fn primary(transport: Transport, resource: Resource, reset_in: u64) -> Answer {
    let answer = match transport {
        Transport::Rest => Answer::refusal(
            StatusCode::FORBIDDEN,
            "API rate limit exceeded for user ID 1001.",
            LIMIT_DOCS,
        ),
        Transport::Graphql => Answer::json(
            StatusCode::OK,
            &json!({ "errors": [{
                "type": "RATE_LIMITED",
                "message": "API rate limit exceeded for user ID 1001.",
            }] }),
        ),
    };
    Budget::exhausted(resource, reset_in).stamp(answer)
}
