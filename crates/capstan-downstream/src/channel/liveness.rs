//! Signs of life of a server: how many messages came from it, and how it ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tokio::sync::watch;

#[derive(Debug)]
pub(crate) struct Liveness {
    messages: AtomicU64,
    /// Whether nothing can be sent any more.
    is_closing: AtomicBool,
    /// How the server ended; `None` while it runs.
    end: watch::Sender<Option<Arc<str>>>,
}

impl Liveness {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            messages: AtomicU64::new(0),
            is_closing: AtomicBool::new(false),
            end: watch::Sender::new(None),
        })
    }

    pub(crate) fn record_message(&self) {
        self.messages.fetch_add(1, Ordering::AcqRel);
    }

    /// Returns how many messages came.
    pub(crate) fn message_count(&self) -> u64 {
        self.messages.load(Ordering::Acquire)
    }

    pub(crate) fn set_closing(&self) {
        self.is_closing.store(true, Ordering::Release);
    }

    /// Records the end. Only the first description is kept.
    pub(crate) fn record_end(&self, how: &str) {
        self.set_closing();
        self.end.send_if_modified(|ended| {
            let is_first = ended.is_none();
            if is_first {
                *ended = Some(how.into());
            }
            is_first
        });
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Acquire)
    }

    /// Waits for the end and returns its description.
    pub(crate) async fn wait_for_end(&self) -> Arc<str> {
        let mut ended = self.end.subscribe();
        let words = ended.wait_for(Option::is_some).await;
        let reason = words.ok().and_then(|words| words.clone());
        reason.unwrap_or_else(|| "it ended".into())
    }

    /// Returns how the server ended, if it has.
    pub(crate) fn end_reason(&self) -> Option<Arc<str>> {
        self.end.borrow().clone()
    }
}
