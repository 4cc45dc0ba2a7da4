//! What the refusal, the loss or the damage of an answer means.

use crate::{ErrorCode, Outcome, ResultError};

use super::Failure;

/// What a failed request means: its code, whether a retry can help, and whether a write may have happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub code: ErrorCode,
    pub retryable: bool,
    pub outcome: Outcome,
    /// Whether a smaller request may work.
    pub too_much: bool,
}

impl Verdict {
    /// Returns the verdict on a request that was refused or never arrived: nothing was applied.
    pub const fn refused(code: ErrorCode) -> Self {
        Self {
            code,
            retryable: matches!(
                code,
                ErrorCode::RateLimit | ErrorCode::Network | ErrorCode::Server
            ),
            outcome: Outcome::NotApplied,
            too_much: false,
        }
    }

    /// Returns the verdict on a request that may have been applied.
    pub const fn unknown(code: ErrorCode) -> Self {
        Self {
            outcome: Outcome::Unknown,
            ..Self::refused(code)
        }
    }

    /// Returns the verdict on a refusal that stays until somebody changes something.
    pub const fn permanent(code: ErrorCode) -> Self {
        Self {
            retryable: false,
            ..Self::refused(code)
        }
    }

    /// Adds that a smaller request may work.
    #[must_use]
    pub const fn too_much(self) -> Self {
        Self {
            too_much: true,
            ..self
        }
    }

    /// Returns a failure with this meaning.
    pub fn failure(self, message: impl Into<String>) -> Failure {
        let mut error = ResultError::new(self.code, message);
        error.retryable = self.retryable;
        Failure {
            too_much: self.too_much,
            ..Failure::new(error, self.outcome)
        }
    }
}
