//! From how the steps of a chain went to what the caller is told.

use std::time::Duration;

use capstan_core::code::shown_name;
use capstan_core::{
    ChainMeta, ChainRequest, ChainResultEnvelope, ChainStatus, ChainStepMeta, ChainStepResult,
    ErrorCode, Outcome, Redactor, ResultEnvelope, ResultError, ResultMeta, Route, TaskRequest,
    Timings,
};

use crate::chain::{Ended, Prepared};
use crate::recorder::outcome_of;
use crate::run::Answered;
use crate::{follow_up, note, shape};

/// What running a chain came to, before it is told as one envelope or as many.
pub(crate) struct ChainOutcome {
    /// By step.
    pub(crate) envelopes: Vec<ResultEnvelope>,
    pub(crate) requests: usize,
    pub(crate) chunks: usize,
    pub(crate) timings: Timings,
}

/// The envelope of one step.
pub(crate) fn envelope(prepared: &Prepared<'_>, ended: Ended) -> ResultEnvelope {
    let request = prepared.request;
    let code = prepared.behind.code();
    let mut meta = ResultMeta {
        capability_id: match code {
            Some(code) => code.record.action.clone(),
            None => request.capability.clone(),
        },
        capability_name: code.map(|code| code.record.name.to_string()),
        capability_fqdn: code.map(|code| code.record.fqdn.to_string()),
        mode: prepared.behind.mode(),
        warnings: prepared.warnings.clone(),
        route_used: ended.chosen.map(|(route, _)| route),
        reason: ended.chosen.map(|(_, reason)| reason),
        attempts: request.options.trace.then_some(ended.attempts),
        later_write: ended.later_write,
        ..ResultMeta::default()
    };
    match ended.result {
        Err(error) => ResultEnvelope::failure(error, meta),
        Ok(answered) => {
            let Answered {
                data,
                pagination,
                warnings,
            } = answered;
            let card = &prepared.card;
            let pages = pagination.as_ref();
            meta.note = note::empty_list(card, &ended.input, &request.input, &data, pages);
            meta.next = follow_up::next(card, &ended.input, &data);
            meta.pagination = pagination;
            meta.warnings.extend(warnings);
            let data = shape::shape(card, data, &request.options);
            ResultEnvelope::success(data, meta)
        }
    }
}

/// The envelopes of the steps that ran and of those that could not, in the order of the steps.
pub(crate) fn in_order(
    request: &ChainRequest,
    ended: impl Iterator<Item = (usize, ResultEnvelope)>,
    problems: Vec<(usize, ResultError)>,
) -> Vec<ResultEnvelope> {
    let failed = problems.into_iter().map(|(index, error)| {
        let capability = request
            .steps
            .get(index)
            .map(|step| shown_name(&step.request.capability));
        let meta = ResultMeta {
            capability_id: capability.unwrap_or_default().into_owned(),
            ..ResultMeta::default()
        };
        (index, ResultEnvelope::failure(error, meta))
    });
    let mut all: Vec<_> = ended.chain(failed).collect();
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, envelope)| envelope).collect()
}

/// The envelopes of a chain that was refused before anything was sent.
pub(crate) fn refused(
    request: &ChainRequest,
    mut problems: Vec<(usize, ResultError)>,
) -> Vec<ResultEnvelope> {
    let first = problems
        .first()
        .map_or(0, |(index, _)| request.place(*index));
    let failed = |request: &TaskRequest, error: ResultError| {
        let meta = ResultMeta {
            capability_id: shown_name(&request.capability).into_owned(),
            ..ResultMeta::default()
        };
        ResultEnvelope::failure(error, meta)
    };
    let steps = request.steps.iter().enumerate();
    steps
        .map(|(index, step)| {
            let own = problems.iter().position(|(at, _)| *at == index);
            let error = match own {
                Some(own) => problems.swap_remove(own).1,
                None => {
                    let message = format!("not run: step {first} failed validation");
                    ResultError::new(ErrorCode::Validation, message).with_detail("step", first)
                }
            };
            failed(&step.request, error)
        })
        .collect()
}

/// Says in the error of several writes that are told as one what is known of all of them: if any of them may have
/// happened, so may the whole, and if a part of it did, it must not be sent again as it is.
pub(crate) fn tell_joint_outcome(error: &mut ResultError, parts: &[&ResultEnvelope]) {
    let known = |envelope: &ResultEnvelope| outcome_of(envelope.error.as_ref());
    let joint = if parts.iter().any(|it| known(it) == Outcome::Unknown) {
        "unknown"
    } else if parts.iter().any(|it| known(it) == Outcome::Applied) {
        PARTIAL
    } else {
        return;
    };
    error.retryable = false;
    error.details.insert("outcome".to_owned(), joint.into());
}

/// The outcome of a write of which a part happened.
pub(crate) const PARTIAL: &str = "partial";

/// What is wrong with a chain, in one error.
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

impl ChainOutcome {
    /// As the caller of one step is told.
    pub(crate) fn into_single(self, request: &TaskRequest) -> ResultEnvelope {
        let timings = self.timings;
        let envelope = self.envelopes.into_iter().next();
        let mut envelope = envelope.unwrap_or_else(|| {
            let error = ResultError::new(ErrorCode::Unknown, "the step was never run");
            ResultEnvelope::failure(error, ResultMeta::default())
        });
        if request.options.trace {
            envelope.meta.timings = Some(timings);
            envelope.meta.attempts.get_or_insert_default();
        }
        envelope
    }

    /// As the caller of many steps is told.
    pub(crate) fn into_chain(
        self,
        request: &ChainRequest,
        redactor: &Redactor,
    ) -> ChainResultEnvelope {
        let total = self.envelopes.len();
        let succeeded = self.envelopes.iter().filter(|it| it.ok).count();
        let routes = self.envelopes.iter().map(|it| it.meta.route_used);
        let route_used = shared_route(routes);
        let steps = request.steps.iter().zip(self.envelopes);
        let results = steps
            .map(|(step, envelope)| {
                let meta = envelope.meta;
                ChainStepResult {
                    task: redactor
                        .text(&shown_name(&step.request.capability))
                        .into_owned(),
                    name: step
                        .name
                        .as_ref()
                        .map(|name| redactor.text(name).into_owned()),
                    ok: envelope.ok,
                    data: envelope.data,
                    error: envelope.error,
                    meta: ChainStepMeta {
                        route_used: meta.route_used.filter(|route| Some(*route) != route_used),
                        capability_fqdn: meta.capability_fqdn,
                        attempts: meta.attempts,
                        pagination: meta.pagination,
                        note: meta.note,
                        warnings: meta.warnings,
                        later_write: meta.later_write,
                    },
                }
            })
            .collect();
        ChainResultEnvelope {
            status: ChainStatus::of(succeeded, total),
            results,
            meta: ChainMeta {
                route_used,
                total,
                succeeded,
                failed: total - succeeded,
                requests: self.requests,
                chunks: self.chunks,
                timings: request.trace.then_some(self.timings),
                cost: None,
                trace_id: None,
                warnings: Vec::new(),
            },
        }
    }
}

/// GraphQL as soon as one step used it; else what the first used.
fn shared_route(routes: impl Iterator<Item = Option<Route>> + Clone) -> Option<Route> {
    let mut used = routes.flatten();
    let first = used.clone().next();
    match used.any(|route| route == Route::Graphql) {
        true => Some(Route::Graphql),
        false => first,
    }
}

/// Keeps secrets out of everything that the caller is told.
pub(crate) fn redacted(redactor: &Redactor, mut envelope: ResultEnvelope) -> ResultEnvelope {
    if let Some(data) = &mut envelope.data {
        redactor.value(data);
    }
    if let Some(error) = &mut envelope.error {
        error.message = redactor.text(&error.message).into_owned();
        error
            .details
            .values_mut()
            .for_each(|detail| redactor.value(detail));
    }
    let meta = &mut envelope.meta;
    meta.capability_id = redactor.text(&meta.capability_id).into_owned();
    meta.note = meta
        .note
        .as_ref()
        .map(|note| redactor.text(note).into_owned());
    for warning in &mut meta.warnings {
        *warning = redactor.text(warning).into_owned();
    }
    for attempt in meta.attempts.iter_mut().flatten() {
        attempt.detail = attempt
            .detail
            .as_ref()
            .map(|text| redactor.text(text).into_owned());
    }
    for next in &mut meta.next {
        redactor.value(&mut next.input);
    }
    envelope
}

pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
