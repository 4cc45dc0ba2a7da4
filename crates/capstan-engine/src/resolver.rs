//! Finds the capability of any kind that a name means, ready to run.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Map, Value};

use capstan_core::card::{Card, Operation};
use capstan_core::code::Capability;
use capstan_core::port::{Resolved, Tool, Via};
use capstan_core::similar::{self, MOST_SUGGESTED};
use capstan_core::{ErrorCode, ResultError};
use capstan_exec::{ChainSpec, card_for};

use crate::capability::{
    Asker, Directory, FoundCapability, Implementation, Lookup, Meaning, alias_warning,
    check_length, code_card, kind_error, split_tool_name, store_error, tool_card,
};
use crate::plans::{SkillPlans, skill_card};
use crate::shared::{Shared, card, unknown_capability};

/// How long the steps of a chain wait for a server to list its tools.
const SERVER_TIMEOUT: Duration = Duration::from_secs(5);

/// Finds capabilities of every kind by their names.
pub(crate) struct Resolver {
    pub(crate) shared: Arc<Shared>,
    pub(crate) directory: Arc<Directory>,
    pub(crate) plans: Arc<SkillPlans>,
}

impl Resolver {
    /// Finds the capabilities of all steps of a chain, in the order of the steps. Looks up each name once, all at the
    /// same time.
    pub(crate) async fn find_all(
        &self,
        spec: &ChainSpec,
        deadline: Instant,
        lookup: Lookup,
    ) -> Vec<Result<FoundCapability, ResultError>> {
        let names = spec.steps.iter().map(|it| it.request.capability.as_str());
        let distinct: BTreeSet<&str> = names.clone().collect();
        let alone = spec.steps.len() == 1;
        let found = distinct
            .iter()
            .map(|name| self.find_step(name, alone, deadline, lookup));
        let found = join_all(found).await;
        let known: HashMap<&str, _> = distinct.into_iter().zip(found).collect();
        let found = names.map(|name| known[name].clone());
        let for_input = found.zip(&spec.steps).map(|(found, step)| {
            let found = found?;
            // What a raw call does depends on its input.
            let card = card_for(&found.card, &step.request.input)?;
            Ok(FoundCapability { card, ..found })
        });
        for_input.collect()
    }

    /// Finds the capability of a step. If a server does not list its tools, a step of a longer chain runs unchecked
    /// and fails alone, instead of failing the whole chain.
    async fn find_step(
        &self,
        name: &str,
        alone: bool,
        deadline: Instant,
        lookup: Lookup,
    ) -> Result<FoundCapability, ResultError> {
        if alone {
            return self.find_for(name, deadline, lookup).await;
        }
        let found = self
            .find_for(
                name,
                deadline.min(self.shared.clock.now() + SERVER_TIMEOUT),
                lookup,
            )
            .await;
        match (found, split_tool_name(name)) {
            (Err(error), Some((server, tool)))
                if error.code != ErrorCode::NotFound && self.shared.has_server(server) =>
            {
                let unknown = Tool {
                    name: tool.to_owned(),
                    description: String::new(),
                    input_schema: Value::Object(Map::new()),
                    output_schema: None,
                    operation: Operation::Write,
                    idempotent: false,
                };
                Ok(Arc::new(tool_card(server, &unknown)).into())
            }
            (found, _) => found,
        }
    }

    /// Finds the capability that a name means to the caller.
    pub(crate) async fn find(
        &self,
        name: &str,
        deadline: Instant,
    ) -> Result<FoundCapability, ResultError> {
        self.find_for(name, deadline, Lookup::default()).await
    }

    /// Finds the capability that a name means, with rules for the lookup.
    pub(crate) async fn find_for(
        &self,
        name: &str,
        deadline: Instant,
        lookup: Lookup,
    ) -> Result<FoundCapability, ResultError> {
        check_length(name)?;
        let Lookup { asker, only } = lookup;
        let meaning = match only {
            None => self.directory.meaning(name, asker),
            Some(_) => self.directory.meaning_ignoring_skills(name, asker),
        };
        if let Some(error) = only.and_then(|only| kind_error(name, only, &meaning)) {
            return Err(error);
        }
        match meaning {
            Meaning::Card => card(&self.shared.catalog, name).map(FoundCapability::from),
            Meaning::Action(card) => Ok(card.into()),
            Meaning::Skill => self.find_skill(name, deadline).await,
            Meaning::Tool { server, tool } => {
                self.directory.find_tool(server, tool, deadline).await
            }
            Meaning::FolderSkill => match self.find_code(name, asker).await {
                Err(error) if error.code == ErrorCode::NotFound => {
                    self.find_skill(name, deadline).await
                }
                found => found,
            },
            Meaning::Code => self.find_code(name, asker).await,
        }
    }

    async fn find_skill(
        &self,
        name: &str,
        deadline: Instant,
    ) -> Result<FoundCapability, ResultError> {
        let plan = Box::pin(self.plans.skill_to_run(name, deadline)).await?;
        Ok(FoundCapability {
            card: Arc::new(skill_card(&plan)),
            implementation: Implementation::Skill(plan),
            warnings: Vec::new(),
        })
    }

    async fn find_code(&self, name: &str, asker: Asker) -> Result<FoundCapability, ResultError> {
        let Some(store) = self.shared.store() else {
            return Err(self.not_found(name, asker).await);
        };
        match store
            .resolve(self.directory.viewer_for(asker), name)
            .await
            .map_err(|error| store_error(&error))?
        {
            Resolved::Found(capability, via) => Ok(self.found_code(*capability, &via)),
            Resolved::Several(all) => {
                let names: Vec<_> = all.iter().map(ToString::to_string).collect();
                let message = format!(
                    "`{name}` matches {} capabilities: name one, {}",
                    names.len(),
                    names.join(" or ")
                );
                Err(ResultError::new(ErrorCode::Conflict, message).with_detail("near", names))
            }
            Resolved::Nothing => Err(self.not_found(name, asker).await),
        }
    }

    fn found_code(&self, capability: Capability, via: &Via) -> FoundCapability {
        let warnings = match via {
            Via::Alias(alias) => vec![alias_warning(alias, &capability.record.name)],
            Via::Name | Via::Fqdn | Via::Id => Vec::new(),
        };
        FoundCapability {
            card: Arc::new(code_card(&capability, &self.shared.viewer().scope)),
            implementation: Implementation::Code(Arc::new(capability)),
            warnings,
        }
    }

    /// Returns the error for a name that nothing has. If the name looks like the id of a card or is similar to one,
    /// the error is that of the catalogue.
    async fn not_found(&self, name: &str, asker: Asker) -> ResultError {
        if asker != Asker::Caller && self.directory.is_only_from_folder(name) {
            return hidden_error(name);
        }
        let Err(mut unknown) = self.shared.catalog.get(name) else {
            return ResultError::new(ErrorCode::Unknown, "the card cannot be read");
        };
        unknown.near = self
            .similar_names(name, std::mem::take(&mut unknown.near))
            .await;
        let mut error = unknown_capability(&unknown);
        let is_id = (2..=3).contains(&name.split('.').count());
        if !is_id && !name.is_empty() && unknown.near.is_empty() {
            error.message = format!("Capability not found: {}", unknown.id);
        }
        if let Some(wrong) = self.directory.skill_diagnostics().next() {
            let more = format!("; not all skills could be read: {wrong}");
            error.message.push_str(&more);
        }
        error
    }

    /// Returns the card of a capability of any kind.
    pub(crate) async fn card(&self, name: &str) -> Result<Arc<Card>, ResultError> {
        let found = self.find(name, self.shared.usual_deadline()).await?;
        Ok(found.card)
    }

    /// Returns the names that are most similar to `name`: first those of sound skills and named code, then those of
    /// Capstan's own actions, then those of cards.
    async fn similar_names(&self, name: &str, cards: Vec<String>) -> Vec<String> {
        let skills = self.directory.library().into_iter().flat_map(|it| it.ids());
        let skills = skills.map(str::to_owned);
        let known = skills.chain(self.directory.code_names().await);
        let mut near: Vec<String> = Vec::new();
        for known in similar::all(name, known) {
            if near.len() == MOST_SUGGESTED {
                break;
            }
            // A skill with errors cannot be run, so it is not offered.
            if !matches!(self.plans.plan(&known).await, Some(Err(_))) {
                near.push(known);
            }
        }
        let own = (self.shared.own_cards.all)();
        let own = similar::suggestions(name, own.iter().map(|card| card.id.as_str()));
        near.extend(own.into_iter().map(str::to_owned));
        near.extend(cards);
        near.truncate(MOST_SUGGESTED);
        near
    }
}

/// Returns the error for a name that exists but is hidden from the user's own skills and code.
fn hidden_error(name: &str) -> ResultError {
    let message = format!(
        "`{name}` comes only from `capstan.toml` in this folder, which your own skills and code do \
         not use: to use it, name its folder in your own configuration, or with `--skills` or \
         `--cards`"
    );
    ResultError::new(ErrorCode::NotFound, message)
}
