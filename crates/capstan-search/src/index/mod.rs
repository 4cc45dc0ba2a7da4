//! What is known of all documents, kept so that one can be changed at a time.

mod documents;
mod entry;
mod field;
mod names;
mod near;
mod places;
mod vectors;
mod vocabulary;

pub use documents::Index;

pub(crate) use entry::{Entry, Usage};
pub(crate) use field::{Counts, FIELDS};
pub(crate) use names::{Name, loose};
pub(crate) use vocabulary::Posting;
