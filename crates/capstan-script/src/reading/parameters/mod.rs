//! The JSON Schema of `args`, from how code reads it.
//!
//! A property is required if every good run reads it plainly, and nothing in the code allows for its
//! absence. It has a default if every read of it has the same one: what a default fills in must change
//! nothing.

mod certain;
mod infer;
mod property;
mod reads;
mod types;

pub(crate) use infer::infer;
