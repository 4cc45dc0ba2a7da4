//! One file for each command.

mod chain;
mod completions;
mod context;
mod demo;
mod dispatch;
mod doctor;
mod explain;
mod list;
mod mcp;
mod run;
mod search;
pub(crate) mod setup;
mod sim;

pub(crate) use context::{Context, failed};
pub(crate) use dispatch::dispatch;
