//! The layers in the order in which they are applied: some before there are threads, some after.

#[cfg(target_os = "linux")]
use super::landlock;
#[cfg(unix)]
use super::limits;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
use super::seccomp;
use super::{Layers, process};

/// What has to be done while the process has one thread: threads inherit it.
/// `memory` is the most that a run can ask for, `stack` that of the thread that will run it.
pub(crate) fn before_threads(memory: u64, stack: u64) -> Layers {
    let mut layers = Layers::default();
    // Told by a file, so it is asked for while there are files.
    #[cfg(unix)]
    let mapped = limits::mapped();
    layers.add(process::close_files());
    layers.add(process::give_up_rights());
    #[cfg(target_os = "linux")]
    layers.add(landlock::restrict());
    #[cfg(unix)]
    layers.add(limits::set(mapped, memory, stack));
    #[cfg(not(unix))]
    let _ = (memory, stack);
    layers
}

/// What has to be done when all threads are there, and is done to all of them.
pub(crate) fn after_threads() -> Layers {
    let mut layers = Layers::default();
    #[cfg(unix)]
    layers.add(limits::no_more_processes());
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    layers.add(seccomp::restrict());
    layers
}

/// Layers of one kind, to see what each is worth by itself.
#[cfg(target_os = "linux")]
pub(crate) fn some_of_it(kind: &str) -> bool {
    const MEMORY: u64 = 64 << 20;
    const STACK: u64 = 1 << 20;
    let layers = match kind {
        "everything" => {
            let mut layers = before_threads(MEMORY, STACK);
            layers.add(after_threads());
            layers
        }
        "process" => process::give_up_rights(),
        "limits" => limits::set(limits::mapped(), MEMORY, STACK),
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

/// The layers that a worker on this machine is going to have. Changes nothing.
pub(crate) fn expected() -> Layers {
    let mut layers = Layers::default();
    layers.add(process::expected());
    #[cfg(unix)]
    layers.add(limits::expected());
    #[cfg(target_os = "linux")]
    layers.add(landlock::expected());
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    layers.add(seccomp::expected());
    layers
}
