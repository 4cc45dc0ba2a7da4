//! State that lasts from one execution to the next: what ran last, warnings to deliver, and an interrupted execution.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use capstan_core::code::Node;

/// The writes of an execution that ended early.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interruption {
    /// How many writes succeeded.
    pub done: usize,
    /// The capabilities of the writes that were under way and may have happened.
    pub unknown: Vec<String>,
    /// How many writes were never sent.
    pub not_sent: usize,
}

/// Two executions further apart than this are not considered as following each other.
const BELONGS_TOGETHER: Duration = Duration::from_secs(600);

/// The state that the executions of one engine share. Each connected agent has its own engine and session.
#[derive(Debug, Default)]
pub(crate) struct Session {
    last: Mutex<Option<(Node, Instant)>>,
    /// There are executions from which relations were not learned yet.
    pub(crate) has_news: AtomicBool,
    /// Warnings that go out with the next answer.
    warnings: Mutex<Vec<String>>,
    /// The writes of the last execution whose caller did not wait for its end.
    interruption: Mutex<Option<Interruption>>,
}

/// How many warnings are kept for the next answer. A reader ignores a longer list.
const MOST_WARNINGS: usize = 10;

impl Session {
    /// Returns what was last executed with success, if that was at most ten minutes ago.
    pub(crate) fn last(&self, now: Instant) -> Option<Node> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let (node, at) = last.as_ref()?;
        let passed = now.saturating_duration_since(*at);
        (passed < BELONGS_TOGETHER).then(|| node.clone())
    }

    /// Adds warnings to the next answer, each once, at most ten in all.
    pub(crate) fn warn(&self, warnings: impl IntoIterator<Item = String>) {
        let mut pending = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        for warning in warnings {
            if !pending.contains(&warning) {
                pending.push(warning);
            }
        }
        pending.truncate(MOST_WARNINGS);
    }

    /// Takes the warnings for the next answer.
    pub(crate) fn take_warnings(&self) -> Vec<String> {
        let mut pending = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *pending)
    }

    pub(crate) fn set_interruption(&self, interruption: Interruption) {
        let mut last = self
            .interruption
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *last = Some(interruption);
    }

    pub(crate) fn take_interruption(&self) -> Option<Interruption> {
        let mut last = self
            .interruption
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        last.take()
    }

    pub(crate) fn set_last(&self, node: Node, now: Instant) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some((node, now));
    }
}
