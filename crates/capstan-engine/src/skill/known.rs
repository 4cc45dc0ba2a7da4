//! What skills can be made of beside skills, as the engine knows it.

use std::collections::HashMap;
use std::sync::Arc;

use capstan_catalog::Catalog;
use capstan_core::card::Operation;
use capstan_core::code::Capability;
use capstan_skill::{Contract, OperationClass, Outside, Outsider, Runs};

/// Cards, tools of configured servers, and the code that was looked up before.
pub(crate) struct Known<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) servers: Vec<String>,
    pub(crate) code: HashMap<String, Capability>,
}

impl Outside for Known<'_> {
    fn find(&self, name: &str) -> Option<Outsider> {
        if self.catalog.contains(name) {
            let card = self.catalog.get(name).ok()?;
            return Some(Outsider {
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
            });
        }
        let server = name.split('.').next().unwrap_or_default();
        let contract = |input: Option<Arc<serde_json::Value>>| Contract {
            input,
            output: None,
            operation: OperationClass::Write,
            effects: Vec::new(),
        };
        if name.contains('.') && self.servers.iter().any(|known| known == server) {
            // A server says what it has when it is started, which checking does not do.
            return Some(Outsider {
                runs: Runs::Tool(name.to_owned()),
                contract: contract(None),
            });
        }
        let code = self.code.get(name)?;
        Some(Outsider {
            runs: Runs::Capability(name.to_owned()),
            contract: contract(Some(Arc::new(code.pattern.parameters.clone()))),
        })
    }

    fn names(&self) -> Vec<String> {
        let cards = self.catalog.iter().map(|it| it.id.to_owned());
        cards.chain(self.code.keys().cloned()).collect()
    }
}
