//! Test data: documents, and queries with the documents that they should find.

mod catalogue;
mod own;
mod part;
mod pool;
mod public;
mod source;

pub use part::Part;
pub use source::{Corpus, Mode, Query, Source};
