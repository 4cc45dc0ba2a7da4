//! The changes between two versions of a skill.

use std::fmt;

use crate::Bump;

/// What changed between two versions of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diff {
    /// Changes that callers notice come first, then internal ones.
    pub changes: Vec<SkillChange>,
    /// Explains what could not be compared.
    pub notes: Vec<String>,
    /// How much the version must be raised.
    pub due: Bump,
    /// How much the version was raised; `None` if it was lowered.
    pub declared: Option<Bump>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillChange {
    pub part: ChangedPart,
    /// The place in that part, such as `user.id`, `items[]` or the name of a step; empty for the whole part.
    pub path: String,
    pub impact: Impact,
    pub message: String,
}

/// The part of a skill that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangedPart {
    Name,
    Level,
    Input,
    Output,
    Operation,
    Effects,
    Deprecation,
    /// The composed skills and their order.
    Composition,
    /// What an L1 skill runs.
    Runs,
    /// Retries, timeout and caching.
    Execution,
    Description,
}

/// The effect of a change on callers, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Impact {
    /// Callers do not notice it.
    Internal,
    /// Callers work as before.
    Compatible,
    /// Callers may have to change.
    Breaking,
}

impl Diff {
    /// Whether the version was raised enough.
    pub fn is_enough(&self) -> bool {
        self.declared.is_some_and(|declared| declared >= self.due)
    }

    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    pub fn breaking(&self) -> impl Iterator<Item = &SkillChange> {
        let breaks = |it: &&SkillChange| it.impact == Impact::Breaking;
        self.changes.iter().filter(breaks)
    }
}

impl ChangedPart {
    pub fn as_str(self) -> &'static str {
        match self {
            ChangedPart::Name => "name",
            ChangedPart::Level => "level",
            ChangedPart::Input => "input",
            ChangedPart::Output => "output",
            ChangedPart::Operation => "operation",
            ChangedPart::Effects => "effects",
            ChangedPart::Deprecation => "deprecation",
            ChangedPart::Composition => "composition",
            ChangedPart::Runs => "runs",
            ChangedPart::Execution => "execution",
            ChangedPart::Description => "description",
        }
    }
}

impl Impact {
    pub fn as_str(self) -> &'static str {
        match self {
            Impact::Internal => "internal",
            Impact::Compatible => "compatible",
            Impact::Breaking => "breaking",
        }
    }

    /// How much the version must be raised for such a change.
    pub fn due(self) -> Bump {
        match self {
            Impact::Internal => Bump::Patch,
            Impact::Compatible => Bump::Minor,
            Impact::Breaking => Bump::Major,
        }
    }
}

impl fmt::Display for SkillChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.impact.as_str(), self.message)
    }
}
