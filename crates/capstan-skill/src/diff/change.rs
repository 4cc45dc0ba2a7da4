//! One change, and all of them together.

use std::fmt;

use crate::Bump;

/// What changed between two versions of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diff {
    /// First what others see, then what they do not.
    pub changes: Vec<SkillChange>,
    /// What could not be compared, and why.
    pub notes: Vec<String>,
    /// How much the version must be raised.
    pub due: Bump,
    /// How much it was raised; nothing if it went down.
    pub declared: Option<Bump>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillChange {
    pub part: Part,
    /// Where in that part: `user.id`, `items[]`, the name of a step; empty for the whole.
    pub path: String,
    pub impact: Impact,
    pub message: String,
}

/// The part of a skill that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    Name,
    Level,
    Input,
    Output,
    Operation,
    Effects,
    Deprecation,
    /// What it is made of, and in which order.
    Composition,
    /// What an L1 skill runs.
    Runs,
    /// Retries, how long it may take, whether its result serves again.
    Execution,
    Description,
}

/// What a change means for those who use the skill, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Impact {
    /// They cannot tell.
    Internal,
    /// They can go on as before.
    Compatible,
    /// They may have to change something too.
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

impl Part {
    pub fn as_str(self) -> &'static str {
        match self {
            Part::Name => "name",
            Part::Level => "level",
            Part::Input => "input",
            Part::Output => "output",
            Part::Operation => "operation",
            Part::Effects => "effects",
            Part::Deprecation => "deprecation",
            Part::Composition => "composition",
            Part::Runs => "runs",
            Part::Execution => "execution",
            Part::Description => "description",
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

    /// How much the version must be raised for it.
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
