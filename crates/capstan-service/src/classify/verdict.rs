//! What a status, a transport fault or a truncated answer means.

use capstan_core::ErrorCode::{
    self, AdapterUnsupported, Auth, Conflict, Network, NotFound, RateLimit, Server, Validation,
};
use capstan_core::Outcome;
use capstan_http::{BodyError, TransportFault};

/// What a failure means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) code: ErrorCode,
    pub(super) retryable: bool,
    pub(super) outcome: Outcome,
    /// Whether a smaller request may work.
    pub(super) too_much: bool,
}

/// Returns the verdict on an HTTP status that is not a success. With a status of 4xx, the service refused the request.
/// With 5xx, it may have begun to work on it.
pub(super) fn status(status: u16) -> Verdict {
    match status {
        // These ask to send the same request elsewhere, so it was not applied here.
        307 | 308 => refused(AdapterUnsupported),
        // A redirect of this kind may point at the result of an applied request.
        300..=399 => unknown(AdapterUnsupported),
        401 | 403 => refused(Auth),
        404 | 410 | 451 => refused(NotFound),
        406 | 415 | 426 => refused(AdapterUnsupported),
        407 => permanent(Network),
        408 | 425 => refused(Network),
        409 | 412 | 423 => refused(Conflict),
        429 => refused(RateLimit),
        400..=499 => refused(Validation),
        // Nothing changes this until somebody changes the server.
        501 | 505 => permanent(Server),
        504 => too_much(unknown(Server)),
        _ => unknown(Server),
    }
}

/// Returns the verdict on a request without an answer.
pub(super) fn transport(fault: TransportFault, may_be_sent: bool) -> Verdict {
    let verdict = match fault {
        TransportFault::Tls => permanent(Network),
        TransportFault::Garbled => refused(Server),
        _ => refused(Network),
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
            ..too_much(unknown(Server))
        },
        BodyError::Timeout => too_much(unknown(Network)),
        BodyError::Broken | BodyError::NotStored => unknown(Network),
    }
}

/// Returns the verdict on `extensions.code` of a GraphQL error; `None` for codes without a usual meaning.
pub(super) fn graphql_code(code: &str) -> Option<Verdict> {
    Some(match code.to_ascii_uppercase().as_str() {
        "UNAUTHENTICATED" | "UNAUTHORIZED" | "FORBIDDEN" | "ACCESS_DENIED" => refused(Auth),
        "NOT_FOUND" => refused(NotFound),
        "THROTTLED" | "RATE_LIMITED" | "RATELIMITED" | "RATE_LIMIT" | "TOO_MANY_REQUESTS" => {
            refused(RateLimit)
        }
        "BAD_USER_INPUT"
        | "BAD_REQUEST"
        | "GRAPHQL_PARSE_FAILED"
        | "GRAPHQL_VALIDATION_FAILED"
        | "OPERATION_RESOLUTION_FAILURE" => refused(Validation),
        "MAX_COST_EXCEEDED" | "QUERY_TOO_COMPLEX" => too_much(refused(Validation)),
        "CONFLICT" => refused(Conflict),
        "INTERNAL_SERVER_ERROR" | "INTERNAL_ERROR" => unknown(Server),
        _ => return None,
    })
}

/// Returns the verdict on a request that was refused or never arrived: nothing was applied.
pub(super) const fn refused(code: ErrorCode) -> Verdict {
    Verdict {
        code,
        retryable: matches!(code, RateLimit | Network | Server),
        outcome: Outcome::NotApplied,
        too_much: false,
    }
}

/// Returns the verdict on a request that may have been applied.
pub(super) const fn unknown(code: ErrorCode) -> Verdict {
    Verdict {
        outcome: Outcome::Unknown,
        ..refused(code)
    }
}

const fn too_much(verdict: Verdict) -> Verdict {
    Verdict {
        too_much: true,
        ..verdict
    }
}

/// Returns the verdict on a refusal that stays until somebody changes something.
const fn permanent(code: ErrorCode) -> Verdict {
    Verdict {
        retryable: false,
        ..refused(code)
    }
}
