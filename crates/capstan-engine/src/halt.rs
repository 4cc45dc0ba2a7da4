//! The word that nothing more is to be begun: what runs a part of something hears it.

use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Debug, Default)]
pub(crate) struct Halt<'a> {
    said: AtomicBool,
    /// Of what this is a part of.
    around: Option<&'a Halt<'a>>,
}

impl<'a> Halt<'a> {
    pub(crate) fn within(around: Option<&'a Halt<'a>>) -> Self {
        Self {
            said: AtomicBool::new(false),
            around,
        }
    }

    pub(crate) fn say(&self) {
        self.said.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_said(&self) -> bool {
        self.said.load(Ordering::Relaxed) || self.around.is_some_and(Halt::is_said)
    }
}
