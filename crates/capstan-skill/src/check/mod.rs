//! The checker: finds all mistakes in a library of skills in one pass, before anything runs. One file for
//! each family of rules.

mod cycles;
mod deprecations;
mod diamonds;
mod effects;
mod leaves;
mod levels;
mod library;
mod parts;
mod versions;

pub(crate) use library::{Assembled, assembly_key};
pub use library::{Checked, check};
pub(crate) use parts::{Target, target};
