//! A skill from the view of its callers.

use capstan_schema::Role;
use serde_json::Value;

use crate::{Contract, OperationClass, Skill};

/// A skill to compare, with a contract for what it does not declare.
#[derive(Clone, Copy, Debug)]
pub struct ComparedSkill<'a> {
    pub skill: &'a Skill,
    /// `None` if too little is known of its parts.
    pub contract: Option<&'a Contract>,
}

/// Compares the skill by its file alone.
impl<'a> From<&'a Skill> for ComparedSkill<'a> {
    fn from(skill: &'a Skill) -> Self {
        Self {
            skill,
            contract: None,
        }
    }
}

impl<'a> ComparedSkill<'a> {
    pub(super) fn states(self, role: Role) -> bool {
        let stated = match role {
            Role::Input => &self.skill.input_schema,
            Role::Output => &self.skill.output_schema,
        };
        stated.is_some()
    }

    /// Returns the declared schema, or else the inferred one.
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

    /// Returns the declared effects, or else the inferred ones. An empty inferred list counts as unknown.
    pub(super) fn effects(self) -> Option<&'a [String]> {
        let stated = self.skill.effects.as_ref().map(|it| it.value.as_slice());
        let inferred = self.contract.map(|it| it.effects.as_slice());
        stated.or(inferred.filter(|it| !it.is_empty()))
    }
}
