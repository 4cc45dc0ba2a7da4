//! What callers write, read field by field. A chain is the same JSON over MCP and in a file.

mod fields;
mod options;
mod problem;
mod steps;

pub(crate) use fields::{Fields, kind};
pub(crate) use options::GivenOptions;
pub use problem::Problem;
pub(crate) use steps::{ARGS, CAPABILITY, INPUT, STEPS};
pub use steps::{Chain, read_chain};
