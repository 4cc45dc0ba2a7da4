//! Checks the steps of a chain before anything is sent: references, inputs, options and names. One bad step keeps the
//! whole chain from starting.

mod nearly;
pub mod reference;
mod step;
mod types;

pub(crate) use step::prepare;
pub use step::{Preparation, PreparedStep, StepTarget, check_alone};
