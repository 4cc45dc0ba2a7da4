//! `trace.*`: past executions.

mod found;
pub(super) mod list;
pub(super) mod prune;
pub(super) mod show;

pub(super) use found::{named, newest};
