//! Takes from the process everything that a worker does not need, in layers that do not rely on
//! each other. A layer that this machine does not have is left out and reported as missing.

#[cfg(target_os = "linux")]
mod landlock;
mod layers;
mod process;
#[cfg(unix)]
mod rlimits;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod seccomp;
mod stages;

pub(crate) use layers::{Layer, Layers};
#[cfg(target_os = "linux")]
pub(crate) use stages::apply_kind;
pub(crate) use stages::{after_threads, before_threads, expected};
