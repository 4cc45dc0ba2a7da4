//! Runs of skills, step by step.

mod found;
pub(super) mod resume;
pub(super) mod show;

pub(super) use found::owner;
