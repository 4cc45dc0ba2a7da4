//! A run that its caller may drop before it is over. It was a use all the same.

use std::time::Instant;

use capstan_core::code::{CodeHash, Fqdn};
use capstan_core::port::StoreError;

use super::CodeRunner;

/// What is run.
pub(super) enum Used<'a> {
    Named(&'a Fqdn),
    /// It may be known already, or not.
    Code(&'a CodeHash),
}

/// Counts a failure if it is dropped before it is over.
pub(super) struct WatchedUse<'a> {
    code: CodeRunner<'a>,
    used: Option<Used<'a>>,
    started: Instant,
}

impl CodeRunner<'_> {
    pub(super) fn watch_use<'a>(&'a self, used: Used<'a>) -> WatchedUse<'a> {
        WatchedUse {
            code: *self,
            used: Some(used),
            started: self.shared.clock.now(),
        }
    }
}

impl WatchedUse<'_> {
    /// Whoever ran it counts it.
    pub(super) fn over(mut self) {
        self.used = None;
    }
}

impl Drop for WatchedUse<'_> {
    fn drop(&mut self) {
        let (Some(used), Some(store)) = (self.used.take(), self.code.shared.store()) else {
            return;
        };
        let failed = self.code.used(false, self.started);
        // Both start when they are called; nobody is left to hear how they end.
        match used {
            Used::Named(fqdn) => drop(store.record_use(fqdn, failed)),
            Used::Code(hash) => {
                drop(store.record_use_of_code(self.code.shared.viewer(), hash, failed));
            }
        }
    }
}

/// What the caller is told of a use that is in no statistics.
pub(super) fn uncounted(error: &StoreError) -> String {
    format!("the use could not be recorded: {error}")
}
