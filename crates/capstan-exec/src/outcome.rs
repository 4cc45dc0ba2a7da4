//! How the steps of a chain ended, as typed facts.

use std::time::Duration;

use serde_json::Value;

use capstan_core::port::Failure;
use capstan_core::{AttemptMeta, Outcome, Route, RouteReason};

use crate::attempt::Answered;
use crate::prepare::PreparedStep;
use crate::{follow_up, note, shape};

/// How a step ended.
#[derive(Debug)]
pub struct StepEnd {
    /// The input with its references filled in.
    pub input: Value,
    pub result: Result<Answered, Failure>,
    /// The last route that was tried, and why that one.
    pub route: Option<(Route, RouteReason)>,
    /// Every try, and every route that was passed over.
    pub attempts: Vec<AttemptMeta>,
    /// For a read: the place of a write after it in the list whose effect it shows.
    pub later_write: Option<usize>,
}

/// How a chain ended.
#[derive(Debug)]
pub struct ChainEnd {
    /// In the order of the prepared steps.
    pub steps: Vec<StepEnd>,
    /// How many requests were sent, lookups and repetitions included.
    pub requests: usize,
    /// Into how many requests the work was cut, had nothing to be repeated.
    pub chunks: usize,
    /// How long something was under way.
    pub busy: Duration,
}

impl StepEnd {
    /// Returns what is known about the effect of the step.
    pub fn outcome(&self) -> Outcome {
        outcome_of(&self.result)
    }

    /// Completes an answer with what callers get beside the data, and reduces the data to what was asked for.
    pub(crate) fn finish(&mut self, step: &PreparedStep<'_>) {
        let Ok(answered) = &mut self.result else {
            return;
        };
        let (card, request) = (&step.card, step.request);
        answered.note = note::empty_list(card, &self.input, &request.input, answered);
        answered.next = follow_up::next(card, &self.input, &answered.data);
        let data = std::mem::take(&mut answered.data);
        let (data, warning) = shape::shape(card, data, &request.options);
        answered.data = data;
        answered.warnings.extend(warning);
    }
}

/// Returns what is known about the effect of something that ended so.
pub fn outcome_of<T>(result: &Result<T, Failure>) -> Outcome {
    match result {
        Ok(_) => Outcome::Applied,
        Err(failure) => failure.outcome,
    }
}
