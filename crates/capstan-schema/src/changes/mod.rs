//! What changed from one version of a schema to the next.

mod change;
mod shell;
mod walk;

pub use change::{Change, ChangeKind, Impact, Role};
pub use walk::changes;
