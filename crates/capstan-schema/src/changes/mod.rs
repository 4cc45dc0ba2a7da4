//! Finds the changes between two versions of a schema.

mod change;
mod walk;
mod without_parts;

pub use change::{Change, ChangeKind, Impact, Role};
pub use walk::changes;
