//! For the tests of this crate alone: the layers one by one, in a process that is not a worker.

use crate::lockdown;

/// Puts layers in place, as a worker does: `everything`, or the kind that is named. What cannot be
/// put in place is `false`.
#[cfg(target_os = "linux")]
pub fn lock_down(layers: &str) -> bool {
    lockdown::some_of_it(layers)
}
