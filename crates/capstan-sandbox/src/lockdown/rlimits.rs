//! Resource limits of the process.

use rustix::process::{Resource, Rlimit, getuid, setrlimit};

use super::{Layer, Layers};

/// Memory beside the engine's own: frames in transit and the allocator's reserve.
const OVERHEAD_BYTES: u64 = 256 << 20;

/// Sets the limits on files and memory. `memory` is the most that the engine may use, `stack` that
/// of its thread, and `mapped` what the process has mapped already, all in bytes.
pub(super) fn set(mapped: Option<u64>, memory: u64, stack: u64) -> Layers {
    let mut layers = Layers::default();
    let files = [
        (Resource::Core, 0),
        (Resource::Fsize, 0),
        (Resource::Nofile, 3),
    ];
    let is_limited = files
        .into_iter()
        .all(|(resource, max)| set_limit(resource, max));
    layers.extend(Layers::if_applied(Layer::Files, is_limited));
    if let Some(mapped) = mapped {
        // Texts are copied in transit, so the engine reaches its own limit long before this one.
        let max = mapped + stack + memory.saturating_mul(3) + OVERHEAD_BYTES;
        layers.extend(Layers::if_applied(
            Layer::Memory,
            set_limit(Resource::As, max),
        ));
    }
    layers
}

/// Forbids new processes and threads: all that are needed exist.
pub(super) fn forbid_processes() -> Layers {
    let is_limited = set_limit(Resource::Nproc, 0);
    Layers::if_applied(Layer::Processes, is_limited && !is_root())
}

pub(super) fn expected() -> Layers {
    let mut layers = Layers::from_layers(&[Layer::Files]);
    layers.extend(Layers::if_applied(Layer::Memory, cfg!(target_os = "linux")));
    layers.extend(Layers::if_applied(Layer::Processes, !is_root()));
    layers
}

fn set_limit(resource: Resource, max: u64) -> bool {
    let limit = Rlimit {
        current: Some(max),
        maximum: Some(max),
    };
    setrlimit(resource, limit).is_ok()
}

/// Returns whether the user is root, whom the limit of processes does not bind.
fn is_root() -> bool {
    getuid().is_root()
}

/// Returns how many bytes the process has mapped already, where the system reports it.
#[cfg(target_os = "linux")]
pub(super) fn mapped_bytes() -> Option<u64> {
    let sizes = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = sizes.split_whitespace().next()?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn mapped_bytes() -> Option<u64> {
    None
}
