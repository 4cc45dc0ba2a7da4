//! JSON Schemas as types: whether what one lets in always passes another, and what changed between two.
//!
//! It must not know what the schemas are for: no cards, no skills, no files.

mod accept;
mod assign;
mod budget;
mod changes;
mod covers;
mod describe;
mod lookup;
mod mismatch;
mod names;
mod naming;
mod number;
mod pattern;
mod project;
mod reference;
mod same;
mod schema;
mod types;

pub use assign::{assignable, assignable_projected};
pub use changes::{Change, ChangeKind, Impact, Role, changes};
pub use describe::describe;
pub use mismatch::Mismatch;
pub use project::project;
pub use schema::{Part, Property, Schema};
pub use types::{Type, TypeSet};
