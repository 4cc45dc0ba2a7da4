//! A skill as those who use it see it.

use capstan_schema::Role;
use serde_json::Value;

use crate::{Contract, OperationClass, Skill};

/// A skill, and what its parts make of it where it does not say.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    pub skill: &'a Skill,
    /// Nothing where too little is known of its parts.
    pub contract: Option<&'a Contract>,
}

/// By its file alone.
impl<'a> From<&'a Skill> for Seen<'a> {
    fn from(skill: &'a Skill) -> Self {
        Self {
            skill,
            contract: None,
        }
    }
}

impl<'a> Seen<'a> {
    pub(super) fn states(self, role: Role) -> bool {
        let stated = match role {
            Role::Input => &self.skill.input_schema,
            Role::Output => &self.skill.output_schema,
        };
        stated.is_some()
    }

    /// What it states, else what is known.
    pub(super) fn schema(self, role: Role) -> Option<&'a Value> {
        let (stated, inferred) = match role {
            Role::Input => (
                &self.skill.input_schema,
                self.contract.and_then(|it| it.input.as_deref()),
            ),
            Role::Output => (
                &self.skill.output_schema,
                self.contract.and_then(|it| it.output.as_deref()),
            ),
        };
        stated.as_ref().map(|it| &it.value).or(inferred)
    }

    pub(super) fn operation(self) -> Option<OperationClass> {
        let stated = self.skill.operation.as_ref().map(|it| it.value);
        stated.or(self.contract.map(|it| it.operation))
    }

    /// Of what has none nothing may be known.
    pub(super) fn effects(self) -> Option<&'a [String]> {
        let stated = self.skill.effects.as_ref().map(|it| it.value.as_slice());
        let inferred = self.contract.map(|it| it.effects.as_slice());
        stated.or(inferred.filter(|it| !it.is_empty()))
    }
}
