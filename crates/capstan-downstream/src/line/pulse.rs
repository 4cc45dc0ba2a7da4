//! Whether a server is there: what was heard of it, and how it ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tokio::sync::watch;

#[derive(Debug)]
pub(crate) struct Pulse {
    heard: AtomicU64,
    /// Nothing can be sent any more.
    closing: AtomicBool,
    /// How it ended, in words; nothing while it goes on.
    ended: watch::Sender<Option<Arc<str>>>,
}

impl Pulse {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            heard: AtomicU64::new(0),
            closing: AtomicBool::new(false),
            ended: watch::Sender::new(None),
        })
    }

    pub(crate) fn beat(&self) {
        self.heard.fetch_add(1, Ordering::AcqRel);
    }

    /// How many messages came.
    pub(crate) fn heard(&self) -> u64 {
        self.heard.load(Ordering::Acquire)
    }

    pub(crate) fn close(&self) {
        self.closing.store(true, Ordering::Release);
    }

    /// The first words count.
    pub(crate) fn end(&self, how: &str) {
        self.close();
        self.ended.send_if_modified(|ended| {
            let first = ended.is_none();
            if first {
                *ended = Some(how.into());
            }
            first
        });
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Acquire)
    }

    /// Waits for the end.
    pub(crate) async fn ended(&self) -> Arc<str> {
        let mut ended = self.ended.subscribe();
        let words = ended.wait_for(Option::is_some).await;
        let words = words.ok().and_then(|words| words.clone());
        words.unwrap_or_else(|| "it ended".into())
    }

    /// How it ended, if it has.
    pub(crate) fn last_words(&self) -> Option<Arc<str>> {
        self.ended.borrow().clone()
    }
}
