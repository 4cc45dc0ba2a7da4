//! What an engine can have beside the routes to GitHub: memory, a sandbox, downstream servers.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use capstan_core::port::{Cache, Embedder, Sandbox, Store, Tool, ToolServers, Viewer};
use capstan_core::{ErrorCode, ResultError};
use capstan_skill::Shelf;

use crate::Capstan;

/// Without a part, what needs it is refused.
#[derive(Clone, Default)]
pub struct Parts {
    pub store: Option<Arc<dyn Store>>,
    pub sandbox: Option<Arc<dyn Sandbox>>,
    pub tools: Option<Arc<dyn ToolServers>>,
    pub skills: Option<Arc<Shelf>>,
    /// Without one, search knows words and no meanings.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Where the index of a large catalogue is kept between processes.
    pub index: Option<Arc<dyn Cache>>,
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts")
            .field("store", &self.store.is_some())
            .field("sandbox", &self.sandbox.is_some())
            .field("tools", &self.tools.is_some())
            .field("skills", &self.skills)
            .field("embedder", &self.embedder.as_ref().map(|it| it.model()))
            .field("index", &self.index.is_some())
            .finish()
    }
}

impl Capstan {
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    pub(crate) fn store(&self) -> Option<&dyn Store> {
        self.parts.store.as_deref()
    }

    /// In whose name everything is done.
    pub(crate) fn viewer(&self) -> &Viewer {
        &self.settings.viewer
    }

    /// The place where code runs, or why there is none.
    pub(crate) fn sandbox(&self) -> Result<&dyn Sandbox, ResultError> {
        self.parts.sandbox.as_deref().ok_or_else(|| {
            let message = "code cannot be run here: there is no sandbox";
            ResultError::new(ErrorCode::AdapterUnsupported, message)
        })
    }

    /// The names of the downstream servers.
    pub fn servers(&self) -> Vec<String> {
        let tools = self.parts.tools.as_deref();
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
        match self.parts.tools.as_deref() {
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
}
