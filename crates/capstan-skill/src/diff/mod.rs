//! What changed between two versions of a skill, and how much the version must be raised for it.

mod change;
mod compare;
mod inside;
mod opened;
mod promises;
mod schemas;
mod seen;
mod steps;
mod words;

pub use change::{ChangedPart, Diff, Impact, SkillChange};
pub use compare::diff;
pub use seen::ComparedSkill;
