//! The checker: everything that is wrong with a library of skills, found in one pass before anything runs.
//! One file for each family of rules.

mod cycles;
mod deprecations;
mod diamonds;
mod effects;
mod leaves;
mod levels;
mod library;
mod parts;
mod versions;

pub use library::{Checked, check};
pub(crate) use library::{Made, made_of};
pub(crate) use parts::{Target, target};
