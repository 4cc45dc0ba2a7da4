//! Faults that tests inject: what goes wrong, for which requests, and how many times.

mod filter;
mod kind;
mod pending;
mod spec;

pub use filter::Filter;
pub use kind::{Cut, FaultKind};
pub use spec::Fault;

pub(crate) use pending::{MatchedFault, MatchedFaults, PendingFaults};
