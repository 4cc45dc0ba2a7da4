//! GraphQL operations as syntax: documents cut into single operations, many operations merged into
//! one and its answer split again, their cost estimated.
//!
//! It must not know GitHub's schema, nor cards, nor how requests travel: no input and output, no async.

mod batch;
mod cost;
mod cut;
mod document;
mod documents;
mod error;
mod fragments;
mod merge;
mod names;
mod operation;
mod outline;
mod part;
mod template;
mod writer;

pub use batch::Batch;
pub use cost::nodes;
pub use cut::{Single, cut, cut_named};
pub use documents::Documents;
pub use error::{DocumentError, MergeError};
pub use merge::merge;
pub use names::alias;
pub use outline::{Selected, outline};
pub use part::{Kind, Part};
