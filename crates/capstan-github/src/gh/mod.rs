//! The `gh` route: the only place that starts `gh`.

mod adapter;
mod answer;
mod config;
mod process;

pub use adapter::GhAdapter;
pub use config::{GhConfig, find_program, gh_token, gh_version};
