//! The fingerprint of a skill, which shows whether the skill or anything that it runs has changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use capstan_core::card::Card;
use capstan_core::code::CodeHash;
use capstan_skill::{Plan, Runs, fingerprint};

use super::SkillPlans;
use crate::capability::Asker;

impl SkillPlans {
    /// Returns the fingerprint of a plan, its cards and its code. A run can only be resumed with the same
    /// fingerprint.
    pub(crate) async fn fingerprint(&self, plan: &Plan) -> String {
        let mut parts = BTreeMap::new();
        for (_, _, leaf) in plan.leaves() {
            let (name, part) = match &leaf.runs {
                Runs::Card(name) if !parts.contains_key(name) => (
                    name,
                    FingerprintPart::Card(self.shared.catalog.get(name).ok()),
                ),
                Runs::Capability(name) if !parts.contains_key(name) => {
                    let asker = Asker::for_skill(plan.is_from_folder);
                    (name, FingerprintPart::Code(self.hash_of(name, asker).await))
                }
                // The definition of a tool is not known here; inline code is in the plan.
                _ => continue,
            };
            parts.insert(name, part);
        }
        fingerprint(&(plan.fingerprint(), parts))
    }

    /// Returns the hash of remembered code; `None` if there is none with this name.
    async fn hash_of(&self, name: &str, asker: Asker) -> Option<CodeHash> {
        let capability = self.code_named(name, asker).await?;
        Some(capability.pattern.hash)
    }
}

/// A part of the fingerprint. It is hashed through its debug output.
#[derive(Debug)]
#[expect(dead_code, reason = "the fields are read by the debug output only")]
enum FingerprintPart {
    Card(Option<Arc<Card>>),
    Code(Option<CodeHash>),
}
