//! Runs agents' code in processes that can be killed and that can reach nothing but their caller.
//!
//! This crate must not know what the code calls: calls go out through the port, and answers come
//! back.

mod clock;
mod engine;
mod host;
mod lockdown;
mod settings;
#[cfg(target_os = "linux")]
#[doc(hidden)]
pub mod testing;
mod wire;
mod worker;

pub use host::sandbox;
pub use settings::{SandboxSettings, WorkerCommand};
pub use worker::{WORKER_ARGUMENT, worker_main};
