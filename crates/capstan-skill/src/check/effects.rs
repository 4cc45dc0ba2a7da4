//! Checks that a skill declares at least the effects of its parts.

use std::collections::BTreeSet;

use crate::codes::{EFFECTS, OPERATION};
use crate::findings::{DiagnosticExt as _, Findings};
use crate::library::Contract;
use crate::skill::Skill;

/// Checks the declared operation and effects against the contracts of the parts, each with its name.
pub(super) fn check<'a>(
    skill: &Skill,
    parts: impl Iterator<Item = (&'a str, &'a Contract)> + Clone,
    findings: &mut Findings,
) {
    let source = &skill.origin.source;
    if let Some(declared) = &skill.operation {
        let highest = parts.clone().max_by_key(|(_, contract)| contract.operation);
        if let Some((name, contract)) = highest.filter(|(_, it)| it.operation > declared.value) {
            let message = format!(
                "'{}' declares {}, but `{name}` is {}",
                skill.id,
                declared.value.as_str(),
                contract.operation.as_str()
            );
            let help = format!("declare `operation: {}`", contract.operation.as_str());
            findings
                .error(OPERATION, source, declared.span, message)
                .help(Some(help));
        }
    }
    if let Some(declared) = &skill.effects {
        let own: BTreeSet<&str> = declared.value.iter().map(String::as_str).collect();
        let mut missing: Vec<(&str, &str)> = Vec::new();
        for (name, contract) in parts {
            for effect in &contract.effects {
                let known = missing.iter().any(|(known, _)| known == effect);
                if !own.contains(effect.as_str()) && !known {
                    missing.push((effect, name));
                }
            }
        }
        if !missing.is_empty() {
            let told: Vec<_> = missing
                .iter()
                .map(|(effect, name)| format!("{effect} (of `{name}`)"))
                .collect();
            let message = format!(
                "'{}' does not declare all of its effects: {}",
                skill.id,
                told.join(", ")
            );
            let mut all = own;
            all.extend(missing.iter().map(|(effect, _)| *effect));
            let all: Vec<_> = all.into_iter().collect();
            let help = format!("declare `effects: [{}]`", all.join(", "));
            findings
                .error(EFFECTS, source, declared.span, message)
                .help(Some(help));
        }
    }
}
