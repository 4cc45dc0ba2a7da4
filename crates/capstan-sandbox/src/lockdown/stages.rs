//! The layers in the order in which they are applied: some before threads are started, some after.

#[cfg(target_os = "linux")]
use super::landlock;
#[cfg(unix)]
use super::rlimits;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
use super::seccomp;
use super::{Layers, process};

/// Applies the layers that need a process with one thread; later threads inherit them. `memory` is
/// the most that a run can ask for, and `stack` that of the thread that will run it, both in bytes.
pub(crate) fn before_threads(memory: u64, stack: u64) -> Layers {
    let mut layers = Layers::default();
    // Read from a file, so it has to come before files are closed.
    #[cfg(unix)]
    let mapped = rlimits::mapped_bytes();
    layers.extend(process::close_files());
    layers.extend(process::give_up_rights());
    #[cfg(target_os = "linux")]
    layers.extend(landlock::restrict());
    #[cfg(unix)]
    layers.extend(rlimits::set(mapped, memory, stack));
    #[cfg(not(unix))]
    let _ = (memory, stack);
    layers
}

/// Applies the layers that need all threads to exist, to all of them.
pub(crate) fn after_threads() -> Layers {
    let mut layers = Layers::default();
    #[cfg(unix)]
    layers.extend(rlimits::forbid_processes());
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    layers.extend(seccomp::restrict());
    layers
}

/// Applies the layers of one kind, so that tests see the effect of each.
#[cfg(target_os = "linux")]
pub(crate) fn apply_kind(kind: &str) -> bool {
    const MEMORY: u64 = 64 << 20;
    const STACK: u64 = 1 << 20;
    let layers = match kind {
        "everything" => {
            let mut layers = before_threads(MEMORY, STACK);
            layers.extend(after_threads());
            layers
        }
        "process" => process::give_up_rights(),
        "limits" => rlimits::set(rlimits::mapped_bytes(), MEMORY, STACK),
        "landlock" => landlock::restrict(),
        #[cfg(target_pointer_width = "64")]
        "seccomp" => {
            process::give_up_rights();
            seccomp::restrict()
        }
        _ => Layers::default(),
    };
    layers != Layers::default()
}

/// Returns the layers that a worker on this machine is going to have. Changes nothing.
pub(crate) fn expected() -> Layers {
    let mut layers = Layers::default();
    layers.extend(process::expected());
    #[cfg(unix)]
    layers.extend(rlimits::expected());
    #[cfg(target_os = "linux")]
    layers.extend(landlock::expected());
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    layers.extend(seccomp::expected());
    layers
}
