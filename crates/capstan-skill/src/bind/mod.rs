//! How the steps of a skill hang together: where each input comes from, what waits for what, and what the
//! skill as a whole takes and gives.

mod bound;
mod candidates;
mod comparison;
mod embed;
mod expression;
mod fit;
mod inputs;
mod misfits;
mod order;
mod outputs;
mod satisfiable;
mod scope;
mod skill;
mod types;
mod waiting;

pub(crate) use bound::{Bound, BoundStep, Part, names};
pub(crate) use fit::{Misfit, between};
pub(crate) use skill::bind;
