//! One file for each command.

mod call;
mod cap;
mod cards;
mod chain;
mod check;
mod completions;
mod context;
mod demo;
mod dep;
mod dispatch;
mod doctor;
mod exec;
mod explain;
mod find;
mod graph;
mod line;
mod list;
mod mcp;
mod run;
mod search;
mod serve;
pub(crate) mod setup;
mod shutdown_signals;
mod sim;
mod skill;
mod suggest;
mod system_runner;
mod trace;
mod types;

pub(crate) use context::{Context, failed};
pub(crate) use dispatch::dispatch;
