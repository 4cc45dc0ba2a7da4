//! Finding capabilities of every kind, by words and by meaning.

mod careful;
mod entry;
mod finder;
mod persist;
mod refresh;
mod search;
mod wanted;
mod why;

pub(crate) use finder::Finder;
pub(crate) use search::{built_in_documents, list_built_in, search_built_in};
pub(crate) use wanted::Asked;
pub use wanted::{Hit, MOST_FOUND, Wanted};
