//! What the exit code says.

use std::process::ExitCode;

use capstan_core::{ChainResultEnvelope, ErrorCode, ResultEnvelope, ResultError};
use capstan_engine::ChainPlan;

use crate::interrupt::Interrupted;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0
    Ok,
    /// 1: the operation failed; of a chain, every step.
    Failed,
    /// 2: the command line or the input is wrong; of a chain, one is enough, and nothing was sent.
    Usage,
    /// 3: some steps of a chain failed, and some did not.
    Partial,
    /// 4: not logged in, or not allowed.
    Auth,
    /// 128 and the number of the signal, as shells say it: stopped before the end.
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
        of_steps(errors, chain.meta.total, chain.meta.requests > 0)
    }
}

impl From<&ChainPlan> for Exit {
    fn from(plan: &ChainPlan) -> Self {
        let problems = plan.steps.iter().filter_map(|it| it.problem.as_ref());
        of_steps(problems, plan.steps.len(), false)
    }
}

/// What failed steps come to. When all did, it is what they all failed of.
fn of_steps<'a>(errors: impl Iterator<Item = &'a ResultError>, total: usize, sent: bool) -> Exit {
    let errors: Vec<_> = errors.collect();
    let mut exits = errors
        .iter()
        // What was left out because of another step failed of nothing itself.
        .filter(|error| !error.details.contains_key("step"))
        .map(|error| match error.code {
            // Without a request, these are about what the caller wrote: ids, routes.
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
