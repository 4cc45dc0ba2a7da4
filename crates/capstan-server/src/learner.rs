//! Learns from what clients executed, on a thread of its own: no answer waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use tokio::runtime::Handle;

use capstan_engine::Capstan;

/// Nobody is at it.
const IDLE: u8 = 0;
/// Somebody is at it.
const BUSY: u8 = 1;
/// Somebody is at it, and looks once more when it is through.
const AGAIN: u8 = 2;

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
                this.soon();
            }
        });
    }

    /// Soon after this, what was executed is learned from, and the graph in memory is up to date.
    pub(crate) fn soon(&self) {
        if self.state.swap(AGAIN, Ordering::AcqRel) != IDLE {
            return;
        }
        let (capstan, state) = (Arc::clone(&self.capstan), Arc::clone(&self.state));
        let runtime = Handle::current();
        tokio::task::spawn_blocking(move || {
            let is_through = || {
                let through =
                    state.compare_exchange(BUSY, IDLE, Ordering::AcqRel, Ordering::Acquire);
                through.is_ok()
            };
            while !is_through() {
                state.store(BUSY, Ordering::Release);
                runtime.block_on(capstan.discovery().catch_up());
            }
        });
    }
}
