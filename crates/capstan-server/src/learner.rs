//! Learns from what clients executed, on a thread of its own: no answer waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::runtime::Handle;

use capstan_engine::Capstan;

pub(crate) struct Learner {
    capstan: Arc<Capstan>,
    /// Somebody is at it, and looks once more when it is through.
    is_busy: Arc<AtomicBool>,
}

impl Learner {
    pub(crate) fn new(capstan: Arc<Capstan>) -> Self {
        Self {
            capstan,
            is_busy: Arc::default(),
        }
    }

    /// Soon after this, what was executed is learned from, and the graph in memory is up to date.
    pub(crate) fn soon(&self) {
        if self.is_busy.swap(true, Ordering::AcqRel) {
            return;
        }
        let (capstan, is_busy) = (Arc::clone(&self.capstan), Arc::clone(&self.is_busy));
        let runtime = Handle::current();
        tokio::task::spawn_blocking(move || {
            // What is kept from here on is looked for by whoever comes next.
            is_busy.store(false, Ordering::Release);
            runtime.block_on(capstan.catch_up());
        });
    }
}
