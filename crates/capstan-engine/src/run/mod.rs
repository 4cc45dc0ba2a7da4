//! One capability on one route: lookups, the operation itself, and its normalized answer.

mod affected;
mod attempt;
mod lookup_cache;
mod reading;
mod script;
mod stand_in;

pub(crate) use attempt::{Attempt, Claim, Next, Purpose, Want};
pub(crate) use lookup_cache::LookupCache;
pub(crate) use reading::Answered;
pub(crate) use script::{Lookup, Script};
