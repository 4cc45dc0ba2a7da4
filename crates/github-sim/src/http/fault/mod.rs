//! Faults: what can go wrong on request, for which requests, and how many times.

mod book;
mod filter;
mod kind;
mod spec;

pub use filter::Filter;
pub use kind::{Cut, FaultKind};
pub use spec::Fault;

pub(crate) use book::{Blow, FaultBook, Struck};
