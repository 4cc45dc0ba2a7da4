//! JSON Schemas as types: whether every value of one schema matches another, and what changed between two.
//!
//! It must not know what the schemas are for: no cards, no skills, no files.

mod accept;
mod assign;
mod budget;
mod changes;
mod describe;
mod evaluated;
mod lookup;
mod mismatch;
mod named_properties;
mod names;
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
