//! What the exit code says.

use std::process::ExitCode;

use capstan_core::{ErrorCode, ResultEnvelope, ResultError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0
    Ok,
    /// 1: the operation failed.
    Failed,
    /// 2: the command line or the input is wrong.
    Usage,
    /// 4: not logged in, or not allowed.
    Auth,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Ok => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::Auth => 4,
        })
    }
}

impl From<&ResultError> for Exit {
    fn from(error: &ResultError) -> Self {
        match error.code {
            ErrorCode::Validation => Exit::Usage,
            ErrorCode::Auth => Exit::Auth,
            _ => Exit::Failed,
        }
    }
}

impl From<&ResultEnvelope> for Exit {
    fn from(envelope: &ResultEnvelope) -> Self {
        match &envelope.error {
            Some(error) => error.into(),
            None if envelope.ok => Exit::Ok,
            None => Exit::Failed,
        }
    }
}
