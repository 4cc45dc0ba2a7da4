//! The rules of composition on registries that nobody wrote, against an oracle that knows them from
//! elsewhere.

mod breaking;
mod contracts;
mod oracle;
mod rules;
mod runner;
mod samples;

use oracle::oracle;
pub(crate) use runner::runner;
