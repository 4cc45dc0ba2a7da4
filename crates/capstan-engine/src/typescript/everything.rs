//! Gathers everything that code can call.

use std::sync::Arc;

use futures_util::future::join_all;

use capstan_core::ResultError;
use capstan_core::card::Card;
use capstan_core::code::Capability;
use capstan_core::port::Filter;

use super::{Declarations, signature};
use crate::Capstan;
use crate::capability::{code_card, tool_card};
use crate::local;
use crate::skill::skill_card;

impl Capstan {
    /// Declarations of everything that can be called now, and what could not be looked at.
    pub async fn declarations(&self) -> (Declarations, Vec<String>) {
        let mut all = Declarations::default();
        let mut warnings = Vec::new();
        for listed in self.catalog().iter() {
            match self.catalog().get(listed.id) {
                Ok(card) => all.add(&card),
                Err(error) => warnings.push(format!("left out: {error}")),
            }
        }
        let own = local::cards().filter(|card| !self.catalog().contains(card.id.as_str()));
        own.for_each(|card| all.add(card));
        self.declare_tools(&mut all, &mut warnings).await;
        self.declare_skills(&mut all, &mut warnings).await;
        if let Some(store) = self.store() {
            match store.list(self.viewer(), &Filter::default()).await {
                Ok(known) => known
                    .iter()
                    .for_each(|code| all.add(&self.declared_code(code))),
                Err(error) => warnings.push(format!("left out, remembered code: {error}")),
            }
        }
        (all, warnings)
    }

    /// The TypeScript signature of a capability, whatever it is.
    pub async fn signature(&self, capability: &str) -> Result<String, ResultError> {
        let deadline = self.clock.now() + self.settings.run_timeout;
        let found = self.find(capability, deadline).await?;
        let card = match found.implementation.code() {
            Some(code) => Arc::new(self.declared_code(code)),
            None => found.card,
        };
        Ok(signature(&card))
    }

    /// With the types that are guessed: they tell a reader more than nothing.
    fn declared_code(&self, code: &Capability) -> Card {
        Card {
            input_schema: code.pattern.parameters.clone(),
            ..code_card(code, &self.viewer().scope)
        }
    }

    async fn declare_tools(&self, all: &mut Declarations, warnings: &mut Vec<String>) {
        let deadline = self.clock.now() + self.settings.run_timeout;
        let listed = self.servers().into_iter().map(|server| async move {
            let tools = self.tools_of(&server, deadline).await;
            (server, tools)
        });
        for (server, tools) in join_all(listed).await {
            match tools {
                Ok(tools) => tools
                    .iter()
                    .for_each(|tool| all.add(&tool_card(&server, tool))),
                Err(error) => {
                    warnings.push(format!(
                        "left out, the tools of `{server}`: {}",
                        error.message
                    ));
                }
            }
        }
    }

    async fn declare_skills(&self, all: &mut Declarations, warnings: &mut Vec<String>) {
        let Some(library) = self.library() else {
            return;
        };
        for id in library.ids() {
            match self.plan(id).await {
                Some(Ok(plan)) => all.add(&skill_card(&plan)),
                Some(Err(error)) => {
                    warnings.push(format!("left out, the skill `{id}`: {}", error.message));
                }
                None => {}
            }
        }
    }
}
