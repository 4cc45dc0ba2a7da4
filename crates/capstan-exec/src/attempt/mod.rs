//! One try of a card on one route: lookups, the operation, and its normalized answer.

mod affected;

mod lookup_cache;
mod reading;
mod script;
mod stand_in;
mod state_machine;
mod whole_answer;

pub(crate) use lookup_cache::LookupCache;
pub use reading::Answered;
pub(crate) use script::{Lookup, RouteScript};
pub(crate) use state_machine::{Attempt, Claim, Next, Purpose, Want};
