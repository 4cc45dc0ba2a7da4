//! The exit codes. [`Exit`] maps results to them; `main` maps errors that are no results.

use std::process::ExitCode;

use capstan_core::{ChainResultEnvelope, ErrorCode, ResultEnvelope, ResultError};
use capstan_engine::ChainPlan;

use crate::interrupt::Interrupted;

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: success.
    Ok,
    /// 1: the operation failed. In a chain: every step failed.
    Failed,
    /// 2: the command line or the input is wrong. In a chain: at least one step is wrong, and nothing was sent.
    Usage,
    /// 3: some steps of a chain failed, and some succeeded.
    Partial,
    /// 4: not logged in, or not allowed.
    Auth,
    /// 128 plus the number of the signal that stopped the process.
    Interrupted(Interrupted),
}

impl From<Interrupted> for Exit {
    fn from(interrupted: Interrupted) -> Self {
        Exit::Interrupted(interrupted)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Ok => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::Partial => 3,
            Exit::Auth => 4,
            Exit::Interrupted(signal) => signal.exit_code(),
        })
    }
}

impl From<&ResultError> for Exit {
    fn from(error: &ResultError) -> Self {
        match error.code {
            ErrorCode::Validation => Exit::Usage,
            ErrorCode::Auth | ErrorCode::Policy => Exit::Auth,
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

impl From<&ChainResultEnvelope> for Exit {
    fn from(chain: &ChainResultEnvelope) -> Self {
        let errors = chain.results.iter().filter_map(|it| it.error.as_ref());
        exit_of_steps(errors, chain.meta.total, chain.meta.requests > 0)
    }
}

impl From<&ChainPlan> for Exit {
    fn from(plan: &ChainPlan) -> Self {
        let problems = plan.steps.iter().filter_map(|it| it.problem.as_ref());
        exit_of_steps(problems, plan.steps.len(), false)
    }
}

/// Returns the exit of a chain with these errors. If all steps failed for the same reason, that is the reason of the
/// chain. `sent` is whether a request was sent.
fn exit_of_steps<'a>(
    errors: impl Iterator<Item = &'a ResultError>,
    total: usize,
    sent: bool,
) -> Exit {
    let errors: Vec<_> = errors.collect();
    let mut exits = errors
        .iter()
        // Steps that were skipped because of another step have no reason of their own.
        .filter(|error| !error.details.contains_key("step"))
        .map(|error| match error.code {
            // If nothing was sent, these are mistakes of the caller: an unknown id, an unsupported route.
            ErrorCode::NotFound | ErrorCode::AdapterUnsupported if !sent => Exit::Usage,
            _ => Exit::from(*error),
        });
    match (errors.len(), exits.next()) {
        (0, _) => Exit::Ok,
        (failed, _) if failed < total => Exit::Partial,
        (_, Some(first)) if exits.all(|exit| exit == first) => first,
        _ => Exit::Failed,
    }
}
