//! `run.*`: runs of skills.

mod found;
mod refusal;
pub(super) mod resume;
pub(super) mod show;
mod step_outcomes;

pub(super) use found::owner;
