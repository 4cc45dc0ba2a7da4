//! What running skills needs.

use crate::code::CodeRunner;
use crate::plans::SkillPlans;

#[derive(Clone, Copy)]
pub(crate) struct SkillRunner<'a> {
    pub(crate) plans: &'a SkillPlans,
    pub(crate) code: CodeRunner<'a>,
}
