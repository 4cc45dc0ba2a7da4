//! What was executed last, so that what comes next is known to follow it.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use capstan_core::code::Node;

/// What comes later has nothing to do with it.
const BELONGS_TOGETHER: Duration = Duration::from_secs(600);

/// The executions of one engine: a connected agent has one of its own.
#[derive(Debug, Default)]
pub(crate) struct Session {
    last: Mutex<Option<(Node, Instant)>>,
    /// Something was executed from which nothing was learned yet.
    pub(crate) has_news: AtomicBool,
}

impl Session {
    /// What went well just before.
    pub(crate) fn last(&self, now: Instant) -> Option<Node> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let (node, at) = last.as_ref()?;
        let passed = now.saturating_duration_since(*at);
        (passed < BELONGS_TOGETHER).then(|| node.clone())
    }

    pub(crate) fn went_well(&self, node: Node, now: Instant) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some((node, now));
    }
}
