//! Compiles `refuse`: the results of lookups that forbid a write.

use capstan_core::card::{Operation, Refusal, RefusalRule};

use super::compiler::Compiler;
use crate::raw::RawRefusal;

impl Compiler<'_> {
    pub(super) fn refusal(&mut self, pointer: &str, raw: Option<&RawRefusal>) -> Option<Refusal> {
        let raw = raw?;
        if self.operation != Operation::Write {
            self.problem(
                pointer,
                "`refuse` is for writes: a read changes nothing that could be refused",
            );
        }
        if raw.rules.is_empty() {
            self.problem(&format!("{pointer}/rules"), "expected at least one rule");
        }
        let mut rules = Vec::with_capacity(raw.rules.len());
        for (index, rule) in raw.rules.iter().enumerate() {
            let pointer = format!("{pointer}/rules/{index}");
            let when = self.optional_expr(&format!("{pointer}/when"), rule.when.as_deref());
            let because = self.template(&format!("{pointer}/because"), &rule.because);
            if let Some(because) = because {
                rules.push(RefusalRule {
                    when,
                    because,
                    is_final: rule.is_final,
                    is_passing: rule.is_passing,
                });
            }
        }
        Some(Refusal {
            override_input: raw.override_input.clone(),
            rules,
        })
    }
}
