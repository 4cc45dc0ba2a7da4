//! Finds what a name means.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use capstan_core::card::{Card, Operation};
use capstan_core::code::{Capability, DisplayName};
use capstan_core::port::{Resolved, StoreError, Via};
use capstan_core::{ChainRequest, ErrorCode, ResultError};

use super::{code_card, server_of, tool_card};
use crate::Capstan;
use crate::capstan::{card, unknown_capability};
use crate::local;

/// Something that can be run.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) card: Arc<Card>,
    /// What is remembered of it, if it is code.
    pub(crate) code: Option<Arc<Capability>>,
    /// What its caller should hear.
    pub(crate) warnings: Vec<String>,
}

impl From<Arc<Card>> for Found {
    fn from(card: Arc<Card>) -> Self {
        Self {
            card,
            code: None,
            warnings: Vec::new(),
        }
    }
}

impl Capstan {
    /// What every step of a chain is to run. Each name is looked for once.
    pub(crate) async fn find_all(
        &self,
        request: &ChainRequest,
        deadline: Instant,
    ) -> Vec<Result<Found, ResultError>> {
        let mut known: HashMap<&str, Result<Found, ResultError>> = HashMap::new();
        let mut all = Vec::with_capacity(request.steps.len());
        for step in &request.steps {
            let name = step.request.capability.as_str();
            let found = match known.get(name) {
                Some(found) => found.clone(),
                None => {
                    let found = self.find(name, deadline).await;
                    known.insert(name, found.clone());
                    found
                }
            };
            all.push(found);
        }
        all
    }

    /// A card, else something that Capstan does itself, else a tool of a configured server, else
    /// remembered code.
    pub(crate) async fn find(&self, name: &str, deadline: Instant) -> Result<Found, ResultError> {
        if self.catalog().contains(name) {
            return card(self.catalog(), name).map(Found::from);
        }
        if let Some(card) = local::card(name) {
            return Ok(card.into());
        }
        if let Some((server, tool)) = server_of(name)
            && self.has_server(server)
        {
            return self.find_tool(server, tool, deadline).await;
        }
        self.find_code(name).await
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
                let mut names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
                names.sort_by(|left, right| {
                    let near = |name: &str| strsim::jaro_winkler(name, tool);
                    near(right).total_cmp(&near(left)).then(left.cmp(right))
                });
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

    async fn find_code(&self, name: &str) -> Result<Found, ResultError> {
        let Some(store) = self.store() else {
            return Err(self.not_found(name));
        };
        match store
            .resolve(self.viewer(), name)
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
            Resolved::Nothing => Err(self.not_found(name)),
        }
    }

    fn found_code(&self, capability: Capability, via: &Via) -> Found {
        let warnings = match via {
            Via::Alias(alias) => vec![deprecated(alias, &capability.record.name)],
            Via::Name | Via::Fqdn | Via::Id => Vec::new(),
        };
        let operation = self.operation_of(&capability);
        Found {
            card: Arc::new(code_card(&capability, operation)),
            code: Some(Arc::new(capability)),
            warnings,
        }
    }

    /// Code only reads if everything that it calls by name does.
    fn operation_of(&self, capability: &Capability) -> Operation {
        let reads = |call: &String| {
            let known = self.catalog().get(call);
            known.is_ok_and(|card| card.operation == Operation::Read)
        };
        match capability.pattern.calls.iter().all(reads) {
            true => Operation::Read,
            false => Operation::Write,
        }
    }

    /// Nothing has this name. What looks like the id of a card, or nearly is one, is answered in the
    /// catalogue's words.
    fn not_found(&self, name: &str) -> ResultError {
        let Err(unknown) = self.catalog().get(name) else {
            return ResultError::new(ErrorCode::Unknown, "the card cannot be read");
        };
        let mut error = unknown_capability(&unknown);
        let is_id = (2..=3).contains(&name.split('.').count());
        if !is_id && !name.is_empty() && unknown.near.is_empty() {
            error.message = format!("Capability not found: {}", unknown.id);
        }
        error
    }
}

/// What whoever uses an alias is told.
pub(crate) fn deprecated(alias: &str, name: &DisplayName) -> String {
    format!(
        "[WARN] Deprecated: Using alias \"{alias}\" for capability \"{name}\". Update your code."
    )
}

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
