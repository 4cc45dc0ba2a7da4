//! Learns from what clients executed, on a thread of its own: no answer waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;

use capstan_engine::Capstan;

/// Nothing is to be learned.
const IDLE: u8 = 0;
/// A task is learning.
const BUSY: u8 = 1;
/// Something was executed from which nothing was learned yet. A task waits, or will learn once more.
const AGAIN: u8 = 2;

/// How long executions wait to be learned from, so that many are learned from at once.
const GATHER_TIME: Duration = Duration::from_millis(250);

#[derive(Clone)]
pub(crate) struct Learner {
    capstan: Arc<Capstan>,
    state: Arc<AtomicU8>,
}

impl Learner {
    pub(crate) fn new(capstan: Arc<Capstan>) -> Self {
        Self {
            capstan,
            state: Arc::default(),
        }
    }

    /// Somebody came: if anything is remembered, it is brought into memory before it is asked for. Where
    /// nothing is, nothing is opened or read.
    pub(crate) fn begin(&self) {
        let this = self.clone();
        tokio::spawn(async move {
            if this.capstan.discovery().has_memory().await {
                this.now();
            }
        });
    }

    /// Learns from what was executed and brings the graph in memory up to date, without delay.
    pub(crate) fn now(&self) {
        self.start(Duration::ZERO);
    }

    /// Like [`Self::now`], but waits a moment for further executions.
    pub(crate) fn soon(&self) {
        self.start(GATHER_TIME);
    }

    fn start(&self, mut delay: Duration) {
        if self.state.swap(AGAIN, Ordering::AcqRel) != IDLE {
            return;
        }
        let this = self.clone();
        tokio::spawn(async move {
            while !this.is_done() {
                tokio::time::sleep(delay).await;
                delay = GATHER_TIME;
                this.state.store(BUSY, Ordering::Release);
                this.catch_up().await;
            }
        });
    }

    /// Learns at once from what is left, before the process ends.
    pub(crate) async fn finish(&self) {
        if self.state.load(Ordering::Acquire) != IDLE {
            self.catch_up().await;
        }
    }

    /// Returns whether nothing was executed since the learner began to work. It is idle then.
    fn is_done(&self) -> bool {
        let done = self
            .state
            .compare_exchange(BUSY, IDLE, Ordering::AcqRel, Ordering::Acquire);
        done.is_ok()
    }

    /// Works on a thread of its own, because building a graph would delay answers.
    async fn catch_up(&self) {
        let capstan = Arc::clone(&self.capstan);
        let runtime = Handle::current();
        let work = move || runtime.block_on(capstan.discovery().catch_up());
        // It fails only if the process is ending.
        let _ = tokio::task::spawn_blocking(work).await;
    }
}
