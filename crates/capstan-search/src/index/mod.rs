//! The data of all documents, stored so that one document can be changed at a time.

mod documents;
mod entry;
mod field;
mod fuzzy;
mod names;
mod slots;
mod vectors;
mod vocabulary;

pub use documents::Index;

pub(crate) use entry::{Entry, Usage};
pub(crate) use field::{Counts, FIELDS};
pub(crate) use names::{Name, normalized};
pub(crate) use vocabulary::Posting;
