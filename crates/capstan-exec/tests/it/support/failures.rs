//! Failures as adapters report them.

use std::time::Duration;

use capstan_core::port::{Failure, PartialError};
use capstan_core::{ErrorCode, Outcome, ResultError};

pub(crate) fn failure(code: ErrorCode, outcome: Outcome) -> Failure {
    Failure::new(ResultError::new(code, "so it is"), outcome)
}

/// The connection broke: a write may have happened.
pub(crate) fn reset() -> Failure {
    failure(ErrorCode::Network, Outcome::Unknown)
}

/// There was no connection at all.
pub(crate) fn not_connected() -> Failure {
    failure(ErrorCode::Network, Outcome::NotApplied)
}

/// GitHub broke down over it: a write may have happened.
pub(crate) fn broken() -> Failure {
    let status = Some(500);
    Failure {
        status,
        ..failure(ErrorCode::Server, Outcome::Unknown)
    }
}

/// GitHub gave up on it, because it took too long: a write may have happened.
pub(crate) fn gave_up() -> Failure {
    Failure {
        status: Some(502),
        too_much: true,
        ..failure(ErrorCode::Server, Outcome::Unknown)
    }
}

/// It asks for more than is given in one answer, and was not carried out.
pub(crate) fn too_large() -> Failure {
    Failure {
        too_much: true,
        ..failure(ErrorCode::Validation, Outcome::NotApplied)
    }
}

/// GitHub ran out of resources over it: a write may have happened.
pub(crate) fn exhausted() -> Failure {
    Failure {
        too_much: true,
        ..failure(ErrorCode::Validation, Outcome::Unknown)
    }
}

pub(crate) fn timed_out() -> Failure {
    Failure {
        too_much: true,
        ..reset()
    }
}

/// The token may not do this.
pub(crate) fn forbidden() -> Failure {
    let status = Some(403);
    Failure {
        status,
        ..failure(ErrorCode::Auth, Outcome::NotApplied)
    }
}

/// The token is not accepted at all.
pub(crate) fn unauthorized() -> Failure {
    let status = Some(401);
    Failure {
        status,
        ..failure(ErrorCode::Auth, Outcome::NotApplied)
    }
}

/// One API asks to wait for so many seconds.
pub(crate) fn limited(seconds: u64) -> Failure {
    Failure {
        status: Some(429),
        retry_after: Some(Duration::from_secs(seconds)),
        ..failure(ErrorCode::RateLimit, Outcome::NotApplied)
    }
}

/// The host asks to wait for so many seconds, whichever way is taken.
pub(crate) fn host_limited(seconds: u64) -> Failure {
    Failure {
        limits_login: true,
        ..limited(seconds)
    }
}

pub(crate) fn not_found() -> Failure {
    let status = Some(404);
    Failure {
        status,
        ..failure(ErrorCode::NotFound, Outcome::NotApplied)
    }
}

/// The route cannot do it; another may.
pub(crate) fn unsupported() -> Failure {
    failure(ErrorCode::AdapterUnsupported, Outcome::NotApplied)
}

/// The same as an answer of GraphQL's that names no place.
pub(crate) fn unplaced(failure: Failure) -> Failure {
    placed(failure, Vec::new())
}

/// The same as an answer of GraphQL's that names this place.
pub(crate) fn placed(failure: Failure, path: Vec<String>) -> Failure {
    let error = PartialError {
        failure: Box::new(failure.clone()),
        path,
    };
    Failure {
        errors: vec![error],
        ..failure
    }
}
