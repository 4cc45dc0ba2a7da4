//! Infers the JSON Schema of `args` from how code reads it.
//!
//! A property is required if every successful run reads it without a guard, and nothing in the code
//! allows for its absence. It has a default if every read has the same default: filling in a
//! default must change nothing.

mod infer;
mod property;
mod reads;
mod types;
mod uncertain;

pub(crate) use infer::infer;
