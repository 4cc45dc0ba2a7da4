//! The capabilities other than skills that a skill can use, for the checker.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use capstan_core::card::Operation;
use capstan_core::code::{Capability, without_guessed_types};
use capstan_skill::{Contract, OperationClass, OutsideCapabilities, OutsideCapability, Runs};

use crate::capability::{Asker, Directory, Meaning};
use crate::shared::Shared;

/// Cards, tools of configured servers, and code that was looked up in advance.
pub(super) struct KnownCapabilities<'a> {
    pub(super) shared: &'a Shared,
    pub(super) directory: &'a Directory,
    pub(super) code: HashMap<String, Capability>,
    /// The input schemas of tools, as far as their servers were asked.
    pub(super) tool_inputs: HashMap<String, Arc<Value>>,
    pub(super) asker: Asker,
}

impl KnownCapabilities<'_> {
    fn card(&self, name: &str) -> Option<OutsideCapability> {
        let card = self.shared.catalog.get(name).ok()?;
        Some(OutsideCapability {
            runs: Runs::Card(name.to_owned()),
            contract: Contract {
                input: Some(Arc::new(card.input_schema.clone())),
                output: Some(Arc::new(card.output_schema.clone())),
                operation: match card.operation {
                    Operation::Read => OperationClass::Read,
                    Operation::Write => OperationClass::Write,
                },
                effects: card.effects.clone(),
            },
        })
    }
}

impl OutsideCapabilities for KnownCapabilities<'_> {
    fn find(&self, name: &str) -> Option<OutsideCapability> {
        let contract = |input: Option<Arc<Value>>| Contract {
            input,
            output: None,
            operation: OperationClass::Write,
            effects: Vec::new(),
        };
        match self.directory.meaning_ignoring_skills(name, self.asker) {
            Meaning::Card => self.card(name),
            // Only a started server knows the inputs of its tools, and checking starts none.
            Meaning::Tool { .. } => Some(OutsideCapability {
                runs: Runs::Tool(name.to_owned()),
                contract: contract(self.tool_inputs.get(name).cloned()),
            }),
            Meaning::Code => {
                let code = self.code.get(name)?;
                Some(OutsideCapability {
                    runs: Runs::Capability(name.to_owned()),
                    contract: contract(Some(Arc::new(without_guessed_types(
                        &code.pattern.parameters,
                    )))),
                })
            }
            Meaning::Action(_) | Meaning::Skill | Meaning::FolderSkill => None,
        }
    }

    fn names(&self) -> Vec<String> {
        let cards = self.shared.catalog.iter().map(|it| it.id.to_owned());
        cards.chain(self.code.keys().cloned()).collect()
    }

    fn is_hidden(&self, name: &str) -> bool {
        self.asker != Asker::Caller && self.directory.is_only_from_folder(name)
    }
}
