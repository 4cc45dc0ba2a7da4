//! What changed from one version of a schema to the next.

mod change;
mod shell;
mod walk;

pub use change::{Change, ChangeKind, Impact, Role};

use crate::schema::Schema;

/// What changed from one version of a schema to the next, as far as somebody is concerned who gives
/// values (`Role::Input`) or takes them (`Role::Output`); in the order of the old version.
pub fn changes(old: Schema<'_>, new: Schema<'_>, role: Role) -> Vec<Change> {
    walk::Walk::new(role).run(old, new)
}
