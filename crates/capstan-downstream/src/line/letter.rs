//! What travels with a request to know whether it left. It can be called off before that.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const WAITING: u8 = 0;
const LEFT: u8 = 1;
const CALLED_OFF: u8 = 2;

/// Clones are one letter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Letter(Arc<AtomicU8>);

impl Letter {
    /// Its first byte is about to be written; false when it must not be any more.
    pub(crate) fn leave(&self) -> bool {
        self.change(LEFT) != CALLED_OFF
    }

    /// Not a byte of it could be written after all.
    pub(crate) fn come_back(&self) {
        self.0.store(WAITING, Ordering::Release);
    }

    /// Makes sure that it does not leave any more; false when it is too late.
    pub(crate) fn call_off(&self) -> bool {
        self.change(CALLED_OFF) != LEFT
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
    fn a_letter_leaves_or_is_called_off_whichever_is_first() {
        let left = Letter::default();
        assert!(left.leave());
        assert!(!left.call_off());
        assert!(left.leave());
        left.come_back();
        assert!(left.call_off());
        let called_off = Letter::default();
        assert!(called_off.call_off());
        assert!(!called_off.leave());
        assert!(called_off.call_off());
    }
}
