//! Tells everything that works on a chain that nothing more is to be begun.

use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that is set once. It counts as set, too, if the flag of what it is a part of is.
#[derive(Debug, Default)]
pub struct CancelFlag<'a> {
    is_set: AtomicBool,
    parent: Option<&'a CancelFlag<'a>>,
}

impl<'a> CancelFlag<'a> {
    pub fn with_parent(parent: Option<&'a CancelFlag<'a>>) -> Self {
        Self {
            is_set: AtomicBool::new(false),
            parent,
        }
    }

    pub fn set(&self) {
        self.is_set.store(true, Ordering::Relaxed);
    }

    pub fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed) || self.parent.is_some_and(CancelFlag::is_set)
    }
}
