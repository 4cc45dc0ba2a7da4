//! One change, and what it means for whom.

use std::fmt;

/// What a schema is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// For what others give.
    Input,
    /// For what others get.
    Output,
}

/// Whether others must change something too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Impact {
    Compatible,
    Breaking,
}

/// What happened to a part of a schema.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChangeKind {
    Removed,
    AddedRequired,
    AddedOptional,
    BecameRequired,
    BecameOptional,
    /// Fewer values pass.
    Narrowed,
    /// More values pass.
    Widened,
    /// Other values pass: some that did not, and some no longer.
    Changed,
    /// The same values pass, and the description, the default or other remarks differ.
    Described,
}

/// A change of a schema.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Empty at the top, else `user.id`, `items[]`.
    pub path: String,
    pub impact: Impact,
    pub kind: ChangeKind,
    /// `was string, is integer`
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
