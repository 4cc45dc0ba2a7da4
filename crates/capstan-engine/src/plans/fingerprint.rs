//! What tells whether a skill is still what it was: its plan, and everything that the plan runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use capstan_core::card::Card;
use capstan_core::code::CodeHash;
use capstan_skill::{Plan, Runs, fingerprint};

use super::SkillPlans;
use crate::capability::Asker;

impl SkillPlans {
    /// The same as long as nothing of it changed: a run that stopped goes on by the same, or not at all.
    pub(crate) async fn fingerprint(&self, plan: &Plan) -> String {
        let mut parts = BTreeMap::new();
        for (_, _, leaf) in plan.leaves() {
            let (name, part) = match &leaf.runs {
                Runs::Card(name) if !parts.contains_key(name) => (
                    name,
                    FingerprintPart::Card(self.shared.catalog.get(name).ok()),
                ),
                Runs::Capability(name) if !parts.contains_key(name) => {
                    let asker = Asker::of_skill(plan.is_found);
                    (name, FingerprintPart::Code(self.hash_of(name, asker).await))
                }
                // What a server does is its own business; code that stands in the skill is in the plan.
                _ => continue,
            };
            parts.insert(name, part);
        }
        fingerprint(&(plan.fingerprint(), parts))
    }

    async fn hash_of(&self, name: &str, asker: Asker) -> Option<CodeHash> {
        let capability = self.code_named(name, asker).await?;
        Some(capability.pattern.hash)
    }
}

#[derive(Debug)]
#[expect(dead_code, reason = "what they hold is read by printing them")]
enum FingerprintPart {
    Card(Option<Arc<Card>>),
    Code(Option<CodeHash>),
}
