//! One capability on one route: lookups, the operation itself, and its normalized answer.

mod affected;
mod attempt;
mod script;
mod sender;

pub(crate) use attempt::{Answered, Attempt, LookupCache};
pub(crate) use script::{Lookup, Script};
pub(crate) use sender::{AttemptLog, Sender};
