//! The `gh` route: the one place that starts processes for GitHub's sake.

mod adapter;
mod answer;
mod config;
mod process;

pub use adapter::GhAdapter;
pub use config::{GhConfig, find_program, gh_token, gh_version};
