//! One run of JavaScript, on the thread that calls it: the only place that knows the engine.
//!
//! It must not know whether it is in a process of its own: it takes orders and gives reports through
//! a [`Channel`].

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

pub(crate) use bounds::{LARGEST_INPUTS, LARGEST_STACK, THREAD_STACK};
pub(crate) use channel::{Channel, Received};
pub(crate) use drive::run;
pub(crate) use prepared::Prepared;
pub(crate) use stack::SHOWN;
