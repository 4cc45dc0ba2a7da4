//! The other side of the pipe: what a worker does from its start to its end.
//!
//! A worker has one role. One that runs code never reads any, so that an error of the engine cannot
//! change what code is taken for.

mod alarm;
mod main;
mod pipe;
mod reader;
mod role;
mod runner;

pub use main::{WORKER_ARGUMENT, worker_main};
pub(crate) use reader::{READER_STACK, serve as serve_reader};
pub(crate) use role::Role;
pub(crate) use runner::serve as serve_runner;
