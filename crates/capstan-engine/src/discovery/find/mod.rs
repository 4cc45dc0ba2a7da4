//! Search for capabilities of every kind, by words and by meaning.

mod built_in_search;
mod circuit_breaker;
mod index_entry;
mod label;
mod own_first;
mod persist;
mod refresh;
mod request;
mod search;
mod search_index;
mod why;

pub use built_in_search::BuiltInSearch;
pub(crate) use request::IntentQuery;
pub use request::{Hit, MAX_HITS, SearchRequest};
pub(crate) use search::{built_in_documents, list_built_in, list_requested};
pub(crate) use search_index::SearchIndex;
