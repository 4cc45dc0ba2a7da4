//! What was executed last, so that what comes next is known to follow it.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use capstan_core::code::Node;

/// What an execution that ended early had written until then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interruption {
    /// How many writes are done.
    pub done: usize,
    /// Those that were under way, and may have happened.
    pub unknown: Vec<String>,
    /// How many were never sent.
    pub not_sent: usize,
}

/// What comes later has nothing to do with it.
const BELONGS_TOGETHER: Duration = Duration::from_secs(600);

/// The executions of one engine: a connected agent has one of its own.
#[derive(Debug, Default)]
pub(crate) struct Session {
    last: Mutex<Option<(Node, Instant)>>,
    /// Something was executed from which nothing was learned yet.
    pub(crate) has_news: AtomicBool,
    /// What learning found that somebody should look at, and nobody was told yet.
    warnings: Mutex<Vec<String>>,
    /// What the last execution had written that its caller did not wait for.
    interruption: Mutex<Option<Interruption>>,
}

/// Who is told more reads none of it.
const MOST_WARNINGS: usize = 10;

impl Session {
    /// What went well just before.
    pub(crate) fn last(&self, now: Instant) -> Option<Node> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let (node, at) = last.as_ref()?;
        let passed = now.saturating_duration_since(*at);
        (passed < BELONGS_TOGETHER).then(|| node.clone())
    }

    /// Somebody is told with the next answer.
    pub(crate) fn warn(&self, warnings: impl IntoIterator<Item = String>) {
        let mut untold = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        for warning in warnings {
            if !untold.contains(&warning) {
                untold.push(warning);
            }
        }
        untold.truncate(MOST_WARNINGS);
    }

    /// Takes what nobody was told yet.
    pub(crate) fn take_warnings(&self) -> Vec<String> {
        let mut untold = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *untold)
    }

    pub(crate) fn set_interruption(&self, told: Interruption) {
        let mut last = self
            .interruption
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *last = Some(told);
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
