//! The worker's side of the pipe.
//!
//! A worker has one role. A worker that runs code never reads any, so an error of the engine cannot
//! change how other code is read.

mod alarm;
mod main;
mod pipe;
mod reader;
mod role;
mod runner;

pub use main::{WORKER_ARGUMENT, worker_main};
pub(crate) use reader::{READER_STACK_BYTES, serve as serve_reader};
pub(crate) use role::Role;
pub(crate) use runner::serve as serve_runner;
