//! Learns from executions in the background, on a blocking thread, so that no response waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;

use capstan_engine::Capstan;

/// No task runs, and there is nothing to learn.
const IDLE: u8 = 0;
/// A task is learning, and nothing was executed since it started.
const LEARNING: u8 = 1;
/// There are executions to learn from, and a task runs that will do it.
const PENDING: u8 = 2;

/// How long to collect executions before learning from all of them at once.
const BATCH_DELAY: Duration = Duration::from_millis(250);

/// Keeps the graph in memory up to date with what was executed. Clones share their state.
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

    /// Loads the graph into memory before the first request needs it. If nothing is stored, no store is
    /// opened.
    pub(crate) fn warm_up(&self) {
        let this = self.clone();
        tokio::spawn(async move {
            if this.capstan.discovery().has_memory().await {
                this.catch_up_now();
            }
        });
    }

    /// Starts learning from new executions without delay.
    pub(crate) fn catch_up_now(&self) {
        self.start(Duration::ZERO);
    }

    /// Like [`Self::catch_up_now`], but first waits [`BATCH_DELAY`] for further executions.
    pub(crate) fn catch_up_soon(&self) {
        self.start(BATCH_DELAY);
    }

    fn start(&self, mut delay: Duration) {
        if self.state.swap(PENDING, Ordering::AcqRel) != IDLE {
            return;
        }
        let this = self.clone();
        tokio::spawn(async move {
            while !this.try_become_idle() {
                tokio::time::sleep(delay).await;
                delay = BATCH_DELAY;
                this.state.store(LEARNING, Ordering::Release);
                this.catch_up().await;
            }
        });
    }

    /// Learns from the executions that are left, if any. To be called before the process ends.
    pub(crate) async fn finish(&self) {
        if self.state.load(Ordering::Acquire) != IDLE {
            self.catch_up().await;
        }
    }

    /// Becomes idle if nothing was executed since the last round started, and returns whether it did.
    fn try_become_idle(&self) -> bool {
        let exchanged =
            self.state
                .compare_exchange(LEARNING, IDLE, Ordering::AcqRel, Ordering::Acquire);
        exchanged.is_ok()
    }

    /// Learns on a blocking thread, because building the graph would delay responses.
    async fn catch_up(&self) {
        let capstan = Arc::clone(&self.capstan);
        let runtime = Handle::current();
        let work = move || runtime.block_on(capstan.discovery().catch_up());
        // Joining fails only if the runtime shuts down.
        let _ = tokio::task::spawn_blocking(work).await;
    }
}
