//! Binding: finds where each input of a step comes from, which steps wait for which, and the contract of the
//! whole skill.

mod bound;
mod by_name;
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

pub(crate) use bound::{Bound, BoundStep, ComposedStep, names};
pub(crate) use fit::{Misfit, between};
pub(crate) use skill::bind;
