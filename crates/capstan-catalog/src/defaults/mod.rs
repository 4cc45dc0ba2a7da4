//! Fills in the parts of a card that follow from the rest: the operation, variables, arguments and
//! outputs. Packed cards are complete, so nothing is derived at run time.

mod command;
mod names;
mod nested;
mod output;
pub(crate) mod place;
mod whole;

pub(crate) use output::OutputSchema;
pub(crate) use whole::fill_in_defaults;
