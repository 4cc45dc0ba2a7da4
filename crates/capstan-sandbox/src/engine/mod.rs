//! One run of JavaScript, on the calling thread. No other module knows the engine.
//!
//! It must not know whether it runs in its own process: it takes orders and sends reports through a
//! [`Channel`].

mod alternatives;
mod bounds;
mod channel;
mod cpu;
mod drive;
mod explain;
mod json;
mod library;
mod memory;
mod prepared;
mod pure;
mod shared;
mod stack;

pub(crate) use bounds::{MAX_PENDING_INPUT_BYTES, MAX_STACK_BYTES, THREAD_STACK_BYTES};
pub(crate) use channel::{Channel, Received};
pub(crate) use drive::run;
pub(crate) use prepared::PreparedEngine;
pub(crate) use stack::SHOWN_FILE;
