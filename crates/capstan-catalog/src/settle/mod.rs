//! Fills in what a card may leave out because the rest of it tells: the operation, variables,
//! arguments and outputs. A card that is packed is whole, so nothing is worked out at run time.

mod command;
mod names;
mod nested;
mod output;
pub(crate) mod place;
mod whole;

pub(crate) use output::OutputSchema;
pub(crate) use whole::settle;
