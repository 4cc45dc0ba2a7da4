//! Converts the typed results of steps to envelopes, at the edge of the engine, and redacts secrets in them.

use std::time::Duration;

use capstan_core::code::shown_name;
use capstan_core::{
    ChainMeta, ChainRequest, ChainResultEnvelope, ChainStatus, ChainStepMeta, ChainStepResult,
    ErrorCode, Redactor, ResultEnvelope, ResultError, ResultMeta, Route, TaskRequest,
};

use crate::step_result::{ChainOutcome, StepResult};

/// Returns the envelope of one step, without secrets.
pub(crate) fn from_step(step: StepResult, redactor: &Redactor) -> ResultEnvelope {
    let StepResult {
        result,
        is_masked,
        meta,
    } = step;
    let mut envelope = match result {
        Ok(data) => ResultEnvelope::success(data, meta),
        Err(failure) => ResultEnvelope::failure(failure.error, meta),
    };
    if let Some(data) = envelope.data.as_mut().filter(|_| !is_masked) {
        redactor.value(data);
    }
    with_masked_facts(redactor, envelope)
}

/// Returns the envelope of a chain with a single step.
pub(crate) fn from_task(
    outcome: ChainOutcome,
    request: &TaskRequest,
    redactor: &Redactor,
) -> ResultEnvelope {
    let timings = outcome.timings;
    let result = outcome.steps.into_iter().next();
    let result = result.unwrap_or_else(|| {
        let error = ResultError::new(ErrorCode::Unknown, "the step was never run");
        StepResult::failure(error, ResultMeta::default())
    });
    let mut envelope = from_step(result, redactor);
    if request.options.trace {
        envelope.meta.timings = Some(timings);
        envelope.meta.attempts.get_or_insert_default();
    }
    envelope
}

/// Returns the envelope of a chain.
pub(crate) fn from_chain(
    outcome: ChainOutcome,
    request: &ChainRequest,
    redactor: &Redactor,
) -> ChainResultEnvelope {
    let total = outcome.steps.len();
    let succeeded = outcome.steps.iter().filter(|it| it.is_ok()).count();
    let routes = outcome.steps.iter().map(|it| it.meta.route_used);
    let route_used = shared_route(routes);
    let steps = request.steps.iter().zip(outcome.steps);
    let results = steps
        .map(|(step, result)| {
            let ResultEnvelope {
                ok,
                data,
                error,
                meta,
            } = from_step(result, redactor);
            ChainStepResult {
                task: redactor
                    .text(&shown_name(&step.request.capability))
                    .into_owned(),
                name: step
                    .name
                    .as_ref()
                    .map(|name| redactor.text(name).into_owned()),
                ok,
                data,
                error,
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
            requests: outcome.requests,
            chunks: outcome.chunks,
            timings: request.trace.then_some(outcome.timings),
            cost: None,
            trace_id: None,
            warnings: Vec::new(),
        },
    }
}

/// Returns GraphQL if any step used it, else the route of the first step that used one.
fn shared_route(routes: impl Iterator<Item = Option<Route>> + Clone) -> Option<Route> {
    let mut used = routes.flatten();
    let first = used.clone().next();
    if used.any(|route| route == Route::Graphql) {
        Some(Route::Graphql)
    } else {
        first
    }
}

/// Removes secrets from an envelope.
pub(crate) fn redacted(redactor: &Redactor, mut envelope: ResultEnvelope) -> ResultEnvelope {
    if let Some(data) = &mut envelope.data {
        redactor.value(data);
    }
    with_masked_facts(redactor, envelope)
}

/// Removes secrets from everything in an envelope but the data.
fn with_masked_facts(redactor: &Redactor, mut envelope: ResultEnvelope) -> ResultEnvelope {
    if let Some(error) = &mut envelope.error {
        error.redact(redactor);
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

/// Returns a duration in whole milliseconds, rounded down.
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
