//! What implements a capability that is no request to anybody.

use std::sync::Arc;

use capstan_core::code::{Capability, Mode};
use capstan_skill::Plan;

#[derive(Clone, Debug, Default)]
pub(crate) enum Implementation {
    /// The card says it all.
    #[default]
    Card,
    /// What is remembered of code.
    Code(Arc<Capability>),
    /// How a skill is run.
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

    /// Returns how it was asked for, where that is not by the id of an operation.
    pub(crate) fn mode(&self) -> Option<Mode> {
        match self {
            Self::Card => None,
            Self::Code(_) => Some(Mode::ByName),
            Self::Skill(_) => Some(Mode::Skill),
        }
    }

    /// Whether it does nothing itself and only what it calls does.
    pub(crate) fn is_composite(&self) -> bool {
        !matches!(self, Self::Card)
    }
}
