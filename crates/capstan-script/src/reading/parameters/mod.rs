//! The JSON Schema of `args`, from how code reads it.
//!
//! A property is required if it is read plainly, and nothing in the code allows for its absence. It has
//! a default if every read of it has the same one: what a default fills in must change nothing.

mod infer;
mod property;
mod reads;
mod types;

pub(crate) use infer::infer;
