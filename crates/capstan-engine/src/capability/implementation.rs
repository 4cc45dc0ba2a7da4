//! The implementation of a capability, beside its card.

use std::sync::Arc;

use capstan_core::code::{Capability, Mode};
use capstan_skill::Plan;

/// What runs when a capability runs.
#[derive(Clone, Debug, Default)]
pub(crate) enum Implementation {
    /// The card is enough: a request to GitHub, a tool, or one of Capstan's own actions.
    #[default]
    Card,
    /// Remembered code.
    Code(Arc<Capability>),
    /// The plan of a skill.
    Skill(Arc<Plan>),
}

impl Implementation {
    pub(crate) fn code(&self) -> Option<&Capability> {
        match self {
            Self::Code(code) => Some(code),
            Self::Card | Self::Skill(_) => None,
        }
    }

    pub(crate) fn plan(&self) -> Option<&Plan> {
        match self {
            Self::Skill(plan) => Some(plan),
            Self::Card | Self::Code(_) => None,
        }
    }

    /// Returns the mode for the envelope; `None` for operations that are called by their id.
    pub(crate) fn mode(&self) -> Option<Mode> {
        match self {
            Self::Card => None,
            Self::Code(_) => Some(Mode::ByName),
            Self::Skill(_) => Some(Mode::Skill),
        }
    }

    /// Returns whether the capability has no effect itself, only through the calls that it makes.
    pub(crate) fn is_composite(&self) -> bool {
        !matches!(self, Self::Card)
    }
}
