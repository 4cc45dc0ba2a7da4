//! What came of a chain, in few words.

use std::collections::BTreeMap;
use std::time::Duration;

use capstan_core::port::Failure;
use capstan_exec::{ChainEnd, Progress, StepEnd};
use serde_json::Value;

use super::log::{self, Sent};
use super::observer::{self, Heard};
use super::steps::Step;
use super::world::Thing;

pub(crate) struct Ran {
    pub(crate) steps: Vec<Step>,
    /// Nothing for a chain that was dropped.
    pub(crate) end: Option<ChainEnd>,
    pub(crate) log: Vec<Sent>,
    pub(crate) heard: Vec<Heard>,
    pub(crate) progress: Vec<Progress>,
    /// Every wait that was begun on the bench so far.
    pub(crate) waits: Vec<Duration>,
    /// By name, at the end.
    pub(crate) things: BTreeMap<String, Thing>,
    pub(crate) is_in_order: bool,
    /// The observer keeps nothing from leaving, and holds nothing up.
    pub(crate) all_may_leave: bool,
}

impl Ran {
    /// Returns the requests as text: see [`log`].
    pub(crate) fn sent(&self) -> String {
        log::text(&self.log)
    }

    /// Returns the requests as text with the seconds at which they left.
    pub(crate) fn timed(&self) -> String {
        log::timed(&self.log)
    }

    /// Returns what the observer heard as text.
    pub(crate) fn heard(&self) -> String {
        observer::text(&self.heard)
    }

    /// Returns how the steps ended: `ok`, `same` for a write with nothing to do, `seen` for one that a read proved, or
    /// the code of the error, with `!` where it may be sent again, and for writes with what is known of their effect.
    pub(crate) fn ends(&self) -> String {
        let ends = self.step_ends().iter().zip(&self.steps);
        let words: Vec<_> = ends.map(|(end, step)| word(end, step)).collect();
        words.join(" ")
    }

    pub(crate) fn step_ends(&self) -> &[StepEnd] {
        &self.chain_end().steps
    }

    pub(crate) fn chain_end(&self) -> &ChainEnd {
        self.end.as_ref().expect("the chain ended")
    }

    /// Returns the failure of a step.
    pub(crate) fn failure(&self, step: usize) -> &Failure {
        self.step_ends()[step].result.as_ref().unwrap_err()
    }

    /// Returns the data of a step.
    pub(crate) fn data(&self, step: usize) -> &Value {
        &self.step_ends()[step].result.as_ref().unwrap().data
    }

    /// Returns the remarks of a thing, in order.
    pub(crate) fn remarks(&self, name: &str) -> String {
        let thing = self.things.get(name).cloned().unwrap_or_default();
        thing.remarks.join(" ")
    }
}

fn word(end: &StepEnd, step: &Step) -> String {
    let failure = match &end.result {
        Ok(answered) if answered.warnings.iter().any(|it| it.contains("was lost")) => {
            return "seen".to_owned();
        }
        Ok(answered) if answered.data.get("changed") == Some(&false.into()) => {
            return "same".to_owned();
        }
        Ok(_) => return "ok".to_owned(),
        Err(failure) => failure,
    };
    let again = if failure.error.retryable { "!" } else { "" };
    if step.is_write() {
        format!("{}{again}:{}", failure.error.code, failure.outcome.as_str())
    } else {
        format!("{}{again}", failure.error.code)
    }
}
