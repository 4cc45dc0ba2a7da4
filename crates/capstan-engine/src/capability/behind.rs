//! What is run when a card is no request to anybody.

use std::sync::Arc;

use capstan_core::code::{Capability, Mode};
use capstan_skill::Plan;

#[derive(Clone, Debug, Default)]
pub(crate) enum Behind {
    /// The card says it all.
    #[default]
    Nothing,
    /// What is remembered of code.
    Code(Arc<Capability>),
    /// How a skill is run.
    Skill(Arc<Plan>),
}

impl Behind {
    pub(crate) fn code(&self) -> Option<&Capability> {
        match self {
            Behind::Code(code) => Some(code),
            Behind::Nothing | Behind::Skill(_) => None,
        }
    }

    pub(crate) fn plan(&self) -> Option<&Plan> {
        match self {
            Behind::Skill(plan) => Some(plan),
            Behind::Nothing | Behind::Code(_) => None,
        }
    }

    /// How it was asked for, where that is not by the id of an operation.
    pub(crate) fn mode(&self) -> Option<Mode> {
        match self {
            Behind::Nothing => None,
            Behind::Code(_) => Some(Mode::ByName),
            Behind::Skill(_) => Some(Mode::Skill),
        }
    }

    /// It does nothing itself; what it calls does.
    pub(crate) fn is_made_of_others(&self) -> bool {
        !matches!(self, Behind::Nothing)
    }
}
