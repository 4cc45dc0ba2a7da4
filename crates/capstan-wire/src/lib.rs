//! Reads calls and chains from the JSON that callers write, field by field, and reports the place of the
//! first mistake. A chain has the same JSON over MCP and in a file.
//!
//! It must not know who calls or what runs: no engine, no protocol, no files.

mod fields;
mod options;
mod problem;
mod steps;

pub use fields::{Fields, kind_in_words};
pub use options::GivenOptions;
pub use problem::Problem;
pub use steps::{ARGS, CAPABILITY, Chain, INPUT, STEPS, read_chain};
