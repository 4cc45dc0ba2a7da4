//! One run of JavaScript, on the thread that calls it: the only place that knows the engine.
//!
//! It must not know whether it is in a process of its own: it takes orders and gives reports through
//! a [`Channel`].

mod alternatives;
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

pub(crate) use drive::run;
pub(crate) use prepared::Prepared;
pub(crate) use stack::SHOWN;

/// Of one call, as JSON.
pub(crate) const LARGEST_INPUT: usize = 1 << 20;
/// Of all calls that are not answered yet.
pub(crate) const LARGEST_INPUTS: usize = 16 << 20;
/// How deeply a result may be nested.
pub(crate) const DEEPEST_RESULT: usize = 100;
/// A thread that runs the engine needs more stack than the code may use.
pub(crate) const THREAD_STACK: usize = 12 << 20;
/// The most that code can be given; the engine takes more than 16 MiB for no limit at all.
pub(crate) const LARGEST_STACK: u64 = 8 << 20;

/// The way to whoever gave the order.
pub(crate) trait Channel {
    /// `false` when nobody listens any more.
    fn send(&mut self, frame: Vec<u8>) -> bool;

    /// The next frame, without its header.
    fn receive(&mut self) -> Received;
}

pub(crate) enum Received {
    Frame(Vec<u8>),
    Closed,
}
