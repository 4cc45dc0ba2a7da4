//! What a status, a transport fault or a truncated answer means.

use capstan_core::ErrorCode::{
    AdapterUnsupported, Auth, Conflict, Network, NotFound, RateLimit, Server, Validation,
};
use capstan_core::Outcome;
use capstan_core::port::Verdict;
use capstan_http::{BodyError, TransportFault};

/// Returns the verdict on an HTTP status that is not a success. With a status of 4xx, the service refused the request.
/// With 5xx, it may have begun to work on it.
pub(super) fn status(status: u16) -> Verdict {
    match status {
        // These ask to send the same request elsewhere, so it was not applied here.
        307 | 308 => Verdict::refused(AdapterUnsupported),
        // A redirect of this kind may point at the result of an applied request.
        300..=399 => Verdict::unknown(AdapterUnsupported),
        401 | 403 => Verdict::refused(Auth),
        404 | 410 | 451 => Verdict::refused(NotFound),
        406 | 415 | 426 => Verdict::refused(AdapterUnsupported),
        407 => Verdict::permanent(Network),
        408 | 425 => Verdict::refused(Network),
        409 | 412 | 423 => Verdict::refused(Conflict),
        429 => Verdict::refused(RateLimit),
        400..=499 => Verdict::refused(Validation),
        // Nothing changes this until somebody changes the server.
        501 | 505 => Verdict::permanent(Server),
        504 => Verdict::unknown(Server).too_much(),
        _ => Verdict::unknown(Server),
    }
}

/// Returns the verdict on a request without an answer.
pub(super) fn transport(fault: TransportFault, may_be_sent: bool) -> Verdict {
    let verdict = match fault {
        TransportFault::Tls => Verdict::permanent(Network),
        TransportFault::Garbled => Verdict::refused(Server),
        _ => Verdict::refused(Network),
    };
    Verdict {
        outcome: if may_be_sent {
            Outcome::Unknown
        } else {
            Outcome::NotApplied
        },
        too_much: may_be_sent && fault == TransportFault::Timeout,
        ..verdict
    }
}

pub(super) fn body_error(error: BodyError) -> Verdict {
    match error {
        BodyError::TooLarge { .. } => Verdict {
            retryable: false,
            ..Verdict::unknown(Server).too_much()
        },
        BodyError::Timeout => Verdict::unknown(Network).too_much(),
        BodyError::Broken | BodyError::NotStored => Verdict::unknown(Network),
    }
}

/// Returns the verdict on `extensions.code` of a GraphQL error; `None` for codes without a usual meaning.
pub(super) fn graphql_code(code: &str) -> Option<Verdict> {
    Some(match code.to_ascii_uppercase().as_str() {
        "UNAUTHENTICATED" | "UNAUTHORIZED" | "FORBIDDEN" | "ACCESS_DENIED" => {
            Verdict::refused(Auth)
        }
        "NOT_FOUND" => Verdict::refused(NotFound),
        "THROTTLED" | "RATE_LIMITED" | "RATELIMITED" | "RATE_LIMIT" | "TOO_MANY_REQUESTS" => {
            Verdict::refused(RateLimit)
        }
        "BAD_USER_INPUT"
        | "BAD_REQUEST"
        | "GRAPHQL_PARSE_FAILED"
        | "GRAPHQL_VALIDATION_FAILED"
        | "OPERATION_RESOLUTION_FAILURE" => Verdict::refused(Validation),
        "MAX_COST_EXCEEDED" | "QUERY_TOO_COMPLEX" => Verdict::refused(Validation).too_much(),
        "CONFLICT" => Verdict::refused(Conflict),
        "INTERNAL_SERVER_ERROR" | "INTERNAL_ERROR" => Verdict::unknown(Server),
        _ => return None,
    })
}
