//! Tracks whether a request was sent. A request can be cancelled before that.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const WAITING: u8 = 0;
const SENT: u8 = 1;
const CANCELLED: u8 = 2;

/// The sending state of one request. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SendFlag(Arc<AtomicU8>);

impl SendFlag {
    /// Records that the first byte is about to be written; `false` if the request was cancelled and
    /// must not be sent.
    pub(crate) fn mark_sent(&self) -> bool {
        self.change(SENT) != CANCELLED
    }

    /// Records that not a single byte could be written after all.
    pub(crate) fn mark_unsent(&self) {
        self.0.store(WAITING, Ordering::Release);
    }

    /// Cancels the request; `false` if it was already sent.
    pub(crate) fn cancel(&self) -> bool {
        self.change(CANCELLED) != SENT
    }

    fn change(&self, to: u8) -> u8 {
        self.0
            .compare_exchange(WAITING, to, Ordering::AcqRel, Ordering::Acquire)
            .unwrap_or_else(|before| before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_sent_or_cancelled_whichever_is_first() {
        let sent = SendFlag::default();
        assert!(sent.mark_sent());
        assert!(!sent.cancel());
        assert!(sent.mark_sent());
        sent.mark_unsent();
        assert!(sent.cancel());
        let cancelled = SendFlag::default();
        assert!(cancelled.cancel());
        assert!(!cancelled.mark_sent());
        assert!(cancelled.cancel());
    }
}
