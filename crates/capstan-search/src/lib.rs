//! Finds documents by words and by meaning: an in-memory index that is changed one document at a
//! time.
//!
//! It must not know what the documents mean, who makes the vectors, or where anything is stored: no
//! capabilities, no models, no files.

mod digest;
mod document;
mod error;
mod index;
mod search;
mod snapshot;
mod text;
mod vector;

pub use digest::Digest;
pub use document::Document;
pub use error::{SnapshotError, VectorError};
pub use index::Index;
pub use search::{Correction, Exact, FITS, Filter, Method, Prior, Query, SearchHit, Signals, Why};
