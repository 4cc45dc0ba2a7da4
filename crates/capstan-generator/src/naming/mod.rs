//! Ids of operations: a domain, nouns, and a verb.

mod id;
mod unique;
mod verb;

pub(crate) use id::{id_of, is_id};
pub(crate) use unique::check_unique;
