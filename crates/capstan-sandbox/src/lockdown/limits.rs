//! Limits of the process that the system keeps.

use rustix::process::{Resource, Rlimit, getuid, setrlimit};

use super::{Layer, Layers};

/// Beside the engine's own memory: frames on their way in and out, and the allocator's reserve.
const BESIDE: u64 = 256 << 20;

/// `memory` is the most that the engine may have, `stack` that of its thread, `mapped` what the process has already.
pub(super) fn set(mapped: Option<u64>, memory: u64, stack: u64) -> Layers {
    let mut layers = Layers::default();
    let files = [
        (Resource::Core, 0),
        (Resource::Fsize, 0),
        (Resource::Nofile, 3),
    ];
    let done = files.into_iter().all(|(what, most)| limit(what, most));
    layers.add(Layers::when(Layer::Files, done));
    if let Some(mapped) = mapped {
        // Texts are copied on their way, so the engine's own limit is hit long before this one.
        let most = mapped + stack + memory.saturating_mul(3) + BESIDE;
        layers.add(Layers::when(Layer::Memory, limit(Resource::As, most)));
    }
    layers
}

/// No process, and no thread either: all that are needed are there.
pub(super) fn no_more_processes() -> Layers {
    let done = limit(Resource::Nproc, 0);
    Layers::when(Layer::Processes, done && !is_root())
}

pub(super) fn expected() -> Layers {
    let mut layers = Layers::of(&[Layer::Files]);
    layers.add(Layers::when(Layer::Memory, cfg!(target_os = "linux")));
    layers.add(Layers::when(Layer::Processes, !is_root()));
    layers
}

fn limit(what: Resource, most: u64) -> bool {
    let most = Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    setrlimit(what, most).is_ok()
}

/// The limit of processes does not bind root.
fn is_root() -> bool {
    getuid().is_root()
}

/// How much the process has mapped already, where that can be told.
#[cfg(target_os = "linux")]
pub(super) fn mapped() -> Option<u64> {
    let sizes = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = sizes.split_whitespace().next()?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn mapped() -> Option<u64> {
    None
}
