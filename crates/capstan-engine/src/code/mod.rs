//! Runs code that agents wrote: code that comes with a call, and remembered code by its name.

mod direct;
mod evidence;
mod failure;
mod host;
mod in_flight;
mod lane;
mod run;
mod runner;
mod watched;

pub(crate) use failure::script_error;
pub(crate) use runner::CodeRunner;
