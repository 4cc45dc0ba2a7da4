//! The runner of skills.

use crate::code::CodeRunner;
use crate::plans::SkillPlans;

/// Runs skills. Holds the parts of the engine that this needs.
#[derive(Clone, Copy)]
pub(crate) struct SkillRunner<'a> {
    pub(crate) plans: &'a SkillPlans,
    pub(crate) code: CodeRunner<'a>,
}
