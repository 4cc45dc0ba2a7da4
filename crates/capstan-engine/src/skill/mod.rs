//! Runs skills: each step as soon as possible, and no write twice.

mod contract;
mod journal;
mod launch;
mod outcome;
mod pending;
mod retry;
mod run;
mod skill_runner;
mod values;

pub(crate) use journal::input_hash;
pub(crate) use run::RunOptions;
pub(crate) use skill_runner::SkillRunner;
pub(crate) use values::projected;
