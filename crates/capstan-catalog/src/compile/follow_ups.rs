//! Compiles `next` and `mend`: calls that follow a success, and calls that repair a failure.

use capstan_core::card::FollowUp;

use super::compiler::Compiler;
use crate::raw::RawFollowUp;

impl Compiler<'_> {
    pub(super) fn follow_ups(&mut self, raw: &[RawFollowUp]) -> Vec<FollowUp> {
        let mut follow_ups = Vec::new();
        for (index, raw) in raw.iter().enumerate() {
            follow_ups.extend(self.follow_up(&format!("/next/{index}"), raw));
        }
        follow_ups
    }

    /// Compiles the call that helps when a lookup finds nothing.
    pub(super) fn lookup_mend(
        &mut self,
        pointer: &str,
        raw: Option<&RawFollowUp>,
    ) -> Option<FollowUp> {
        self.follow_up(&format!("{pointer}/mend"), raw?)
    }

    pub(super) fn follow_up(&mut self, pointer: &str, raw: &RawFollowUp) -> Option<FollowUp> {
        let capability = self.id(&format!("{pointer}/capability"), &raw.capability);
        let input = self.value_template(&format!("{pointer}/input"), &raw.input);
        let when = match &raw.when {
            Some(when) => Some(self.expr(&format!("{pointer}/when"), when)?),
            None => None,
        };
        Some(FollowUp {
            capability: capability?,
            input: input?,
            when,
        })
    }
}
