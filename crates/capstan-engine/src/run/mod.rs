//! Runs chains of any capabilities, in stages where later steps depend on what earlier ones found.

mod combined;
mod dry_run;
mod participant;
mod runner;
mod staged;

pub use dry_run::{ChainPlan, DryRun, PlannedStep};
pub(crate) use runner::Runner;
pub(crate) use staged::needs_stages;
