//! This side of the pipe: workers are started, kept and ended here, and what they say is judged.
//!
//! A worker is never trusted: it may have been taken over by what it runs.

mod cache;
mod errors;
mod link;
mod pool;
mod processes;
mod reading;
mod running;
mod sandbox;
mod state;
mod threads;
mod trace;
mod turns;

pub use sandbox::sandbox;
