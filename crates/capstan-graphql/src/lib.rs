//! GraphQL operations as syntax: splits documents into single operations, merges many operations
//! into one and splits its answer, and estimates their cost.
//!
//! It must not know GitHub's schema, cards, or how requests are sent: no input and output, no
//! async.

mod batch;
mod cost;
mod document;
mod documents;
mod error;
mod fragments;
mod merge;
mod names;
mod operation;
mod outline;
mod part;
mod single_operation;
mod template;
mod writer;
mod written;

pub use batch::Batch;
pub use cost::count_nodes;
pub use documents::Documents;
pub use error::{DocumentError, MergeError};
pub use merge::merge;
pub use names::alias;
pub use outline::{SelectedField, outline};
pub use part::{OperationKind, Part};
pub use single_operation::{SingleOperation, split_operations, split_operations_named};
pub use written::{WrittenOperation, WrittenVariable, read_operation, root_fields_of};
