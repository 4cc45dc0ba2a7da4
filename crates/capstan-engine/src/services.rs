//! The optional services of an engine, beside the routes to GitHub: a store, a sandbox, downstream servers.

use std::fmt;
use std::sync::Arc;

use capstan_core::port::{Cache, Embedder, Sandbox, Store, ToolServers};
use capstan_skill::SkillFolders;

/// The optional services of an engine. A call that needs a missing service is refused.
#[derive(Clone, Default)]
pub struct Services {
    pub store: Option<Arc<dyn Store>>,
    pub sandbox: Option<Arc<dyn Sandbox>>,
    pub tools: Option<Arc<dyn ToolServers>>,
    pub skills: Option<Arc<SkillFolders>>,
    /// Without an embedder, search compares words only, not meanings.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Keeps the index of a large catalogue between processes.
    pub index: Option<Arc<dyn Cache>>,
}

impl fmt::Debug for Services {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Services")
            .field("store", &self.store.is_some())
            .field("sandbox", &self.sandbox.is_some())
            .field("tools", &self.tools.is_some())
            .field("skills", &self.skills)
            .field("embedder", &self.embedder.as_ref().map(|it| it.model()))
            .field("index", &self.index.is_some())
            .finish()
    }
}
