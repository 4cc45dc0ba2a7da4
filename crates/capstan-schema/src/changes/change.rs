//! A change of a schema and its impact.

use std::fmt;

/// The role of a schema.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// It describes values that callers provide.
    Input,
    /// It describes values that callers receive.
    Output,
}

/// Whether callers must change too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Impact {
    Compatible,
    Breaking,
}

/// The kind of a change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChangeKind {
    Removed,
    AddedRequired,
    AddedOptional,
    BecameRequired,
    BecameOptional,
    /// Fewer values match.
    Narrowed,
    /// More values match.
    Widened,
    /// Some values newly match, and others no longer do.
    Changed,
    /// The same values match; the description, the default or another annotation differs.
    Described,
}

/// A change of a schema.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The path of the part, such as `user.id` or `items[]`; empty for the whole.
    pub path: String,
    pub impact: Impact,
    pub kind: ChangeKind,
    /// A description such as `was string, is integer`.
    pub message: String,
}

impl ChangeKind {
    pub(super) fn impact(self, role: Role) -> Impact {
        use ChangeKind::{
            AddedOptional, AddedRequired, BecameOptional, BecameRequired, Changed, Described,
            Narrowed, Removed, Widened,
        };
        match (self, role) {
            (Removed | Changed, _) => Impact::Breaking,
            (AddedRequired | BecameRequired | Narrowed, Role::Input) => Impact::Breaking,
            (BecameOptional | Widened, Role::Output) => Impact::Breaking,
            (AddedOptional | Described, _)
            | (AddedRequired | BecameRequired | Narrowed, Role::Output)
            | (BecameOptional | Widened, Role::Input) => Impact::Compatible,
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}
