//! Running code that agents wrote: as it comes, and by its name.

mod direct;
mod evidence;
mod failure;
mod host;
mod in_flight;
mod lane;
mod run;
mod runner;
mod watched;

pub(crate) use failure::failure;
pub(crate) use runner::CodeRunner;
