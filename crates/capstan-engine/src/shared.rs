//! The state that all parts of the engine share: the catalogue, the executor, services, settings and the session.

use std::sync::Arc;
use std::time::Instant;

use serde_json::json;

use capstan_catalog::{Catalog, UnknownCapability};
use capstan_core::card::Card;
use capstan_core::code::Timestamp;
use capstan_core::date::timestamp_of;
use capstan_core::port::{Clock, RouteAdapter, Sandbox, Store, Tool, Viewer};
use capstan_core::{ErrorCode, Redactor, ResultError};
use capstan_exec::{Executor, ExecutorSettings, Schemas, explain_call};

use crate::services::Services;
use crate::session::Session;
use crate::settings::Settings;

/// The state that all parts of the engine share.
pub(crate) struct Shared {
    pub(crate) catalog: Catalog,
    pub(crate) executor: Executor,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) redactor: Redactor,
    pub(crate) settings: Settings,
    pub(crate) services: Services,
    pub(crate) session: Session,
    pub(crate) own_cards: OwnCards,
}

/// Access to the cards of Capstan's own actions, which are created at their first use. Function pointers, so that
/// this module does not depend on the actions.
#[derive(Clone, Copy)]
pub(crate) struct OwnCards {
    pub(crate) get: fn(&str) -> Option<Arc<Card>>,
    pub(crate) all: fn() -> &'static [Arc<Card>],
}

impl Shared {
    pub(crate) fn new(
        catalog: Catalog,
        adapters: Vec<Arc<dyn RouteAdapter>>,
        clock: Arc<dyn Clock>,
        redactor: Redactor,
        settings: Settings,
        services: Services,
        own_cards: OwnCards,
    ) -> Self {
        let for_requests = ExecutorSettings {
            host: settings.host.clone(),
            routes: settings.routes.clone(),
            request_timeout: settings.request_timeout,
            chunks: settings.chunks,
        };
        let executor = Executor::new(adapters, Arc::clone(&clock), redactor.clone(), for_requests);
        Self {
            catalog,
            executor,
            clock,
            redactor,
            settings,
            services,
            session: Session::default(),
            own_cards,
        }
    }

    pub(crate) fn schemas(&self) -> &Schemas {
        self.executor.schemas()
    }

    pub(crate) fn store(&self) -> Option<&dyn Store> {
        self.services.store.as_deref()
    }

    /// Returns the user in whose name everything is done, with the scope.
    pub(crate) fn viewer(&self) -> &Viewer {
        &self.settings.viewer
    }

    /// Returns the sandbox that runs code, or an error if there is none.
    pub(crate) fn sandbox(&self) -> Result<&dyn Sandbox, ResultError> {
        self.services.sandbox.as_deref().ok_or_else(|| {
            let message = "code cannot be run here: there is no sandbox";
            ResultError::new(ErrorCode::AdapterUnsupported, message)
        })
    }

    /// Returns the names of the configured downstream servers.
    pub(crate) fn servers(&self) -> Vec<String> {
        let tools = self.services.tools.as_deref();
        tools.map(|tools| tools.names()).unwrap_or_default()
    }

    pub(crate) fn has_server(&self, name: &str) -> bool {
        self.servers().iter().any(|known| known == name)
    }

    pub(crate) async fn tools_of(
        &self,
        server: &str,
        deadline: Instant,
    ) -> Result<Vec<Tool>, ResultError> {
        match self.services.tools.as_deref() {
            Some(tools) => {
                let listed = tools.tools(server, deadline).await;
                listed.map_err(|failure| failure.error)
            }
            None => {
                let message = "no MCP server is configured";
                Err(ResultError::new(ErrorCode::AdapterUnsupported, message))
            }
        }
    }

    pub(crate) fn timestamp(&self) -> Timestamp {
        timestamp_of(self.clock.date())
    }

    /// Returns the deadline of a run that begins now and has no time limit of its own.
    pub(crate) fn usual_deadline(&self) -> Instant {
        self.clock.now() + self.settings.run_timeout
    }
}

/// Returns the card with this id from the catalogue.
pub(crate) fn card(catalog: &Catalog, capability: &str) -> Result<Arc<Card>, ResultError> {
    catalog
        .get(capability)
        .map_err(|unknown| unknown_capability(&unknown))
}

/// Returns the error for an unknown capability, with similar names and a call that helps to find the right one.
pub(crate) fn unknown_capability(unknown: &UnknownCapability) -> ResultError {
    let mend = match unknown.near.first() {
        Some(near) => explain_call(near),
        None => json!({"tool": "search", "arguments": {"intent": unknown.id}}),
    };
    ResultError::new(ErrorCode::NotFound, unknown.to_string())
        .with_detail("near", unknown.near.clone())
        .with_detail("mend", mend)
}
