//! What is measured with: documents, and queries with what should be found.

mod own;
mod part;
mod pool;
mod public;
mod source;

pub use part::Part;
pub use source::{Corpus, Mode, Query, Source};
