//! For the tests of this crate only: applies single layers in a process that is not a worker.

use crate::lockdown;

/// Applies layers as a worker does: `everything`, or the kind that is named. Returns `false` if
/// none could be applied.
#[cfg(target_os = "linux")]
pub fn lock_down(layers: &str) -> bool {
    lockdown::apply_kind(layers)
}
