//! What was executed.

pub(super) mod list;
pub(super) mod prune;
pub(super) mod show;
