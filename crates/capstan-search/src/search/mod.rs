//! A search: the query, how documents are weighed, and the results.

mod confidence;
mod exact;
mod fusion;
mod hit;
mod query;
mod query_words;
mod run;
mod top;
mod words;

pub use confidence::FITS;
pub use fusion::Signals;
pub use hit::{Correction, Exact, SearchHit, Why};
pub use query::{Filter, Method, Prior, Query};
