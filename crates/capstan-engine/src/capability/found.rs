//! Finds what a name means.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Map, Value};

use capstan_core::card::{Card, Operation};
use capstan_core::code::{Capability, DisplayName};
use capstan_core::port::{Resolved, StoreError, Tool, Via};
use capstan_core::{ChainRequest, ErrorCode, ResultError, similar};

use super::{Asker, Behind, Meaning, check_length, code_card, server_of, tool_card};
use crate::Capstan;
use crate::capstan::{card, unknown_capability};
use crate::skill::skill_card;

/// Something that can be run.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) card: Arc<Card>,
    pub(crate) behind: Behind,
    /// What its caller should hear.
    pub(crate) warnings: Vec<String>,
}

/// What a name is to mean, where its caller knows what kind of thing it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Only {
    Card,
    Tool,
    Code,
}

/// How names are looked up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lookup {
    pub(crate) asker: Asker,
    pub(crate) only: Option<Only>,
}

impl From<Arc<Card>> for Found {
    fn from(card: Arc<Card>) -> Self {
        Self {
            card,
            behind: Behind::Nothing,
            warnings: Vec::new(),
        }
    }
}

impl Capstan {
    /// What every step of a chain is to run. Each name is looked for once, all at the same time.
    pub(crate) async fn find_all(
        &self,
        request: &ChainRequest,
        deadline: Instant,
        lookup: Lookup,
    ) -> Vec<Result<Found, ResultError>> {
        let names = request
            .steps
            .iter()
            .map(|it| it.request.capability.as_str());
        let distinct: BTreeSet<&str> = names.clone().collect();
        let alone = request.steps.len() == 1;
        let found = distinct
            .iter()
            .map(|name| self.find_step(name, alone, deadline, lookup));
        let found = join_all(found).await;
        let known: HashMap<&str, _> = distinct.into_iter().zip(found).collect();
        names.map(|name| known[name].clone()).collect()
    }

    /// Among other steps, a server that does not say what it has costs only its own: its step is run
    /// unchecked, and fails by itself.
    async fn find_step(
        &self,
        name: &str,
        alone: bool,
        deadline: Instant,
        lookup: Lookup,
    ) -> Result<Found, ResultError> {
        if alone {
            return self.find_for(name, deadline, lookup).await;
        }
        let found = self
            .find_for(name, deadline.min(self.clock.now() + PATIENCE), lookup)
            .await;
        match (found, server_of(name)) {
            (Err(error), Some((server, tool)))
                if error.code != ErrorCode::NotFound && self.has_server(server) =>
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

    /// What a name means, ready to be run.
    pub(crate) async fn find(&self, name: &str, deadline: Instant) -> Result<Found, ResultError> {
        self.find_for(name, deadline, Lookup::default()).await
    }

    /// What a name means to somebody, ready to be run.
    pub(crate) async fn find_for(
        &self,
        name: &str,
        deadline: Instant,
        lookup: Lookup,
    ) -> Result<Found, ResultError> {
        check_length(name)?;
        let Lookup { asker, only } = lookup;
        let meaning = match only {
            None => self.meaning(name, asker),
            Some(_) => self.meaning_beside_skills(name, asker),
        };
        if let Some(error) = only.and_then(|only| refused_kind(name, only, &meaning)) {
            return Err(error);
        }
        match meaning {
            Meaning::Card => card(self.catalog(), name).map(Found::from),
            Meaning::Action(card) => Ok(card.into()),
            Meaning::Skill => self.find_skill(name, deadline).await,
            Meaning::Tool { server, tool } => self.find_tool(server, tool, deadline).await,
            Meaning::FoundSkill => match self.find_code(name, asker).await {
                Err(error) if error.code == ErrorCode::NotFound => {
                    self.find_skill(name, deadline).await
                }
                found => found,
            },
            Meaning::Code => self.find_code(name, asker).await,
        }
    }

    async fn find_skill(&self, name: &str, deadline: Instant) -> Result<Found, ResultError> {
        let plan = Box::pin(self.skill_to_run(name, deadline)).await?;
        Ok(Found {
            card: Arc::new(skill_card(&plan)),
            behind: Behind::Skill(plan),
            warnings: Vec::new(),
        })
    }

    async fn find_tool(
        &self,
        server: &str,
        tool: &str,
        deadline: Instant,
    ) -> Result<Found, ResultError> {
        let tools = self.tools_of(server, deadline).await?;
        match tools.iter().find(|known| known.name == tool) {
            Some(known) => Ok(Arc::new(tool_card(server, known)).into()),
            None => {
                let mut names = similar::ranked(tool, tools.iter().map(|it| it.name.as_str()));
                names.truncate(NEAR);
                let message = format!(
                    "the server `{server}` has no tool `{tool}`: among its {} are {}",
                    tools.len(),
                    names.join(", ")
                );
                let near: Vec<_> = names
                    .iter()
                    .map(|name| format!("{server}.{name}"))
                    .collect();
                Err(ResultError::new(ErrorCode::NotFound, message).with_detail("near", near))
            }
        }
    }

    async fn find_code(&self, name: &str, asker: Asker) -> Result<Found, ResultError> {
        let Some(store) = self.store() else {
            return Err(self.not_found(name, asker).await);
        };
        match store
            .resolve(self.viewer_for(asker), name)
            .await
            .map_err(|error| broken(&error))?
        {
            Resolved::Found(capability, via) => Ok(self.found_code(*capability, &via)),
            Resolved::Several(all) => {
                let names: Vec<_> = all.iter().map(ToString::to_string).collect();
                let message = format!(
                    "`{name}` fits {} capabilities: say which one, {}",
                    names.len(),
                    names.join(" or ")
                );
                Err(ResultError::new(ErrorCode::Conflict, message).with_detail("near", names))
            }
            Resolved::Nothing => Err(self.not_found(name, asker).await),
        }
    }

    fn found_code(&self, capability: Capability, via: &Via) -> Found {
        let warnings = match via {
            Via::Alias(alias) => vec![deprecated(alias, &capability.record.name)],
            Via::Name | Via::Fqdn | Via::Id => Vec::new(),
        };
        Found {
            card: Arc::new(code_card(&capability, &self.viewer().scope)),
            behind: Behind::Code(Arc::new(capability)),
            warnings,
        }
    }

    /// Nothing has this name. What looks like the id of a card, or nearly is one, is answered in the
    /// catalogue's words.
    async fn not_found(&self, name: &str, asker: Asker) -> ResultError {
        if asker != Asker::Caller && self.is_brought_by_folder(name) {
            return hidden(name);
        }
        let Err(mut unknown) = self.catalog().get(name) else {
            return ResultError::new(ErrorCode::Unknown, "the card cannot be read");
        };
        unknown.near = self.near(name, std::mem::take(&mut unknown.near)).await;
        let mut error = unknown_capability(&unknown);
        let is_id = (2..=3).contains(&name.split('.').count());
        if !is_id && !name.is_empty() && unknown.near.is_empty() {
            error.message = format!("Capability not found: {}", unknown.id);
        }
        if let Some(wrong) = self.skill_diagnostics().next() {
            let more = format!("; not all skills could be read: {wrong}");
            error.message.push_str(&more);
        }
        error
    }
}

/// What is there, and not for those who ask.
fn hidden(name: &str) -> ResultError {
    let message = format!(
        "there is no `{name}` of yours: only `capstan.toml` in this folder brings one, and your own skills \
         and code do not use it; if you mean it, name its folder in your own configuration, or with \
         `--skills` or `--cards`"
    );
    ResultError::new(ErrorCode::NotFound, message)
}

/// The error of a name that means something of another kind than its caller asks for.
fn refused_kind(name: &str, only: Only, meaning: &Meaning<'_>) -> Option<ResultError> {
    let is = match (only, meaning) {
        (Only::Card, Meaning::Card) | (Only::Tool, Meaning::Tool { .. }) => return None,
        (Only::Code, Meaning::Code) => return None,
        (_, Meaning::Card) => "a card",
        (_, Meaning::Action(_)) => "something that Capstan does itself",
        (_, Meaning::Tool { .. }) => "a tool",
        (_, Meaning::Skill | Meaning::FoundSkill) => "a skill",
        (_, Meaning::Code) => "neither",
    };
    let asked = match only {
        Only::Card => "card",
        Only::Tool => "tool of a configured server",
        Only::Code => "remembered code",
    };
    let message = match meaning {
        Meaning::Code => format!("there is no {asked} `{name}`"),
        _ => format!("`{name}` is no {asked}: it is {is}; say `capstan run {name}`"),
    };
    Some(ResultError::new(ErrorCode::NotFound, message))
}

/// What whoever uses an alias is told.
pub(crate) fn deprecated(alias: &str, name: &DisplayName) -> String {
    format!(
        "[WARN] Deprecated: Using alias \"{alias}\" for capability \"{name}\". Update your code."
    )
}

/// How long the steps of a chain wait for a server to say what it has.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many names are offered where one was not found.
const NEAR: usize = 5;

/// What the caller is told when the store does not do what it should.
pub(crate) fn broken(error: &StoreError) -> ResultError {
    let code = match error {
        StoreError::NameTaken { .. } => ErrorCode::Conflict,
        StoreError::NotFound(_) => ErrorCode::NotFound,
        StoreError::Refused(_) => ErrorCode::Validation,
        StoreError::Broken(_) => ErrorCode::Unknown,
    };
    ResultError::new(code, error.to_string())
}
