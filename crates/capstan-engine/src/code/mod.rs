//! Runs code that agents wrote: code that comes with a call, and remembered code by its name.

mod code_runner;
mod direct;
mod evidence;
mod failure;
mod host;
mod in_flight;
mod lane;
mod run;
mod watched;

pub(crate) use code_runner::CodeRunner;
pub(crate) use failure::script_error;
