//! One file for each command.

mod call;
mod chain;
mod completions;
mod context;
mod demo;
mod dispatch;
mod doctor;
mod exec;
mod explain;
mod list;
mod mcp;
mod run;
mod search;
pub(crate) mod setup;
mod sim;

pub(crate) use context::{Context, failed};
pub(crate) use dispatch::dispatch;
