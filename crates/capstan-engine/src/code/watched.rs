//! Counts the use of code even if the caller drops the run before its end.

use std::time::Instant;

use capstan_core::code::{CodeHash, Fqdn};
use capstan_core::port::StoreError;

use super::CodeRunner;

/// The code that is run.
pub(super) enum UsedCode<'a> {
    /// Remembered code.
    Named(&'a Fqdn),
    /// Code that came with the call. It may be remembered already.
    Hash(&'a CodeHash),
}

/// Counts a failure if it is dropped before [`Self::finish`].
pub(super) struct WatchedUse<'a> {
    code: CodeRunner<'a>,
    used: Option<UsedCode<'a>>,
    started: Instant,
}

impl CodeRunner<'_> {
    /// Begins to watch a run.
    pub(super) fn watch_use<'a>(&'a self, used: UsedCode<'a>) -> WatchedUse<'a> {
        WatchedUse {
            code: *self,
            used: Some(used),
            started: self.shared.clock.now(),
        }
    }
}

impl WatchedUse<'_> {
    /// Ends the watch: the caller counts the use itself.
    pub(super) fn finish(mut self) {
        self.used = None;
    }
}

impl Drop for WatchedUse<'_> {
    fn drop(&mut self) {
        let (Some(used), Some(store)) = (self.used.take(), self.code.shared.store()) else {
            return;
        };
        let failed = self.code.measured_use(false, self.started);
        // Both begin when they are called. Nobody is left who could wait for them.
        match used {
            UsedCode::Named(fqdn) => drop(store.record_use(fqdn, failed)),
            UsedCode::Hash(hash) => {
                drop(store.record_use_of_code(self.code.shared.viewer(), hash, failed));
            }
        }
    }
}

/// Returns the warning about a use that could not be counted.
pub(super) fn uncounted_warning(error: &StoreError) -> String {
    format!("the use could not be recorded: {error}")
}
