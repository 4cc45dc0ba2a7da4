//! The typed results of steps and chains. The module `envelope` converts them for callers.

use serde_json::Value;

use capstan_core::code::shown_name;
use capstan_core::port::{Fact, Failure};
use capstan_core::{ErrorCode, Outcome, ResultError, ResultMeta, Timings};
use capstan_exec::{ChainSpec, PreparedStep, StepEnd, outcome_of};

use crate::capability::Implementation;
use crate::recorder::CallOutput;

/// The result of running a chain.
#[derive(Debug, Default)]
pub(crate) struct ChainOutcome {
    /// The results in the order of the steps.
    pub(crate) steps: Vec<StepResult>,
    pub(crate) requests: usize,
    pub(crate) chunks: usize,
    pub(crate) timings: Timings,
}

/// The result of one step.
#[derive(Clone, Debug)]
pub(crate) struct StepResult {
    pub(crate) result: Result<Value, Failure>,
    /// Nothing in the data looks like a secret any more.
    pub(crate) is_masked: bool,
    pub(crate) meta: ResultMeta,
}

impl StepResult {
    pub(crate) fn success(data: Value, meta: ResultMeta) -> Self {
        Self {
            result: Ok(data),
            is_masked: false,
            meta,
        }
    }

    pub(crate) fn failure(failure: impl Into<Failure>, meta: ResultMeta) -> Self {
        let failure = failure.into().map_error(ResultError::bounded);
        Self {
            result: Err(failure),
            is_masked: false,
            meta,
        }
    }

    /// Creates the result of a step that was run.
    pub(crate) fn from_end(
        step: &PreparedStep<'_>,
        implementation: &Implementation,
        end: StepEnd,
    ) -> Self {
        let code = implementation.code();
        let mut meta = ResultMeta {
            capability_id: match code {
                Some(code) => code.record.action.clone(),
                None => step.request.capability.clone(),
            },
            capability_name: code.map(|code| code.record.name.to_string()),
            capability_fqdn: code.map(|code| code.record.fqdn.to_string()),
            mode: implementation.mode(),
            warnings: step.warnings.clone(),
            route_used: end.route.map(|(route, _)| route),
            reason: end.route.map(|(_, reason)| reason),
            attempts: step.request.options.trace.then_some(end.attempts),
            later_write: end.later_write,
            ..ResultMeta::default()
        };
        match end.result {
            Err(failure) => Self::failure(failure, meta),
            Ok(answered) => {
                meta.note = answered.note;
                meta.next = answered.next;
                meta.pagination = answered.pagination;
                meta.warnings.extend(answered.warnings);
                Self {
                    is_masked: answered.is_masked,
                    ..Self::success(answered.data, meta)
                }
            }
        }
    }

    pub(crate) fn is_ok(&self) -> bool {
        self.result.is_ok()
    }

    pub(crate) fn data(&self) -> Option<&Value> {
        self.result.as_ref().ok()
    }

    /// Returns the result as it is recorded.
    pub(crate) fn output(&self) -> Result<CallOutput<'_>, &Failure> {
        self.result.as_ref().map(|data| CallOutput {
            data,
            is_masked: self.is_masked,
        })
    }

    pub(crate) fn failed(&self) -> Option<&Failure> {
        self.result.as_ref().err()
    }

    pub(crate) fn outcome(&self) -> Outcome {
        outcome_of(&self.result)
    }
}

/// Returns the results of the steps that ran and of those that could not, in the order of the steps.
pub(crate) fn in_order(
    spec: &ChainSpec,
    ran: impl Iterator<Item = (usize, StepResult)>,
    problems: Vec<(usize, ResultError)>,
) -> Vec<StepResult> {
    let refused = problems
        .into_iter()
        .map(|(index, error)| (index, StepResult::failure(error, meta_for(spec, index))));
    let mut all: Vec<_> = ran.chain(refused).collect();
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, result)| result).collect()
}

/// Returns the results of a chain that was refused before anything was sent: each problem at its step, and a note at
/// the others.
pub(crate) fn refused(
    spec: &ChainSpec,
    mut problems: Vec<(usize, ResultError)>,
) -> Vec<StepResult> {
    let first = problems.first().map_or(0, |(index, _)| spec.place(*index));
    (0..spec.steps.len())
        .map(|index| {
            let own = problems.iter().position(|(at, _)| *at == index);
            let error = match own {
                Some(own) => problems.swap_remove(own).1,
                None => {
                    let message = format!("not run: step {first} failed validation");
                    ResultError::new(ErrorCode::Validation, message).with_detail("step", first)
                }
            };
            StepResult::failure(error, meta_for(spec, index))
        })
        .collect()
}

/// Sets the outcome of several writes that are reported as one. If the outcome of any part is unknown, so is that of
/// the whole. If only some parts were applied, the whole must not be repeated.
pub(crate) fn set_joint_outcome(failure: &mut Failure, parts: &[&StepResult]) {
    let any = |wanted: &[Outcome]| parts.iter().any(|it| wanted.contains(&it.outcome()));
    failure.outcome = if any(&[Outcome::Unknown, Outcome::Partial]) {
        Outcome::Unknown
    } else if any(&[Outcome::Applied]) {
        Outcome::Partial
    } else {
        return;
    };
    failure.error.retryable = false;
    failure.write_detail(Fact::Outcome);
}

/// Returns the first problem of a chain, with the number of its step if there are several steps.
pub(crate) fn first_problem(problems: Vec<(usize, ResultError)>, steps: usize) -> ResultError {
    match problems.into_iter().next() {
        Some((index, mut error)) if steps > 1 => {
            error.message = format!("step {index}: {}", error.message);
            error
        }
        Some((_, error)) => error,
        None => ResultError::new(ErrorCode::Unknown, "nothing is known to be wrong"),
    }
}

fn meta_for(spec: &ChainSpec, index: usize) -> ResultMeta {
    let step = spec.steps.get(index);
    let capability = step.map(|step| shown_name(&step.request.capability));
    ResultMeta {
        capability_id: capability.unwrap_or_default().into_owned(),
        ..ResultMeta::default()
    }
}
