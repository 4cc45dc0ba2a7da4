//! GraphQL operations as syntax: many merged into one, its answer split again, their cost estimated.
//!
//! It must not know GitHub's schema, nor cards, nor how requests travel: no input and output, no async.

mod batch;
mod cost;
mod document;
mod error;
mod fragments;
mod merge;
mod names;
mod operation;
mod part;
mod template;
mod writer;

pub use batch::Batch;
pub use cost::nodes;
pub use error::MergeError;
pub use merge::merge;
pub use names::alias;
pub use part::{Kind, Part};
