//! What is known about the tools of a server, whether it runs or not.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use capstan_core::code::Timestamp;
use capstan_core::date::timestamp_of;
use capstan_core::port::{Clock, Store, Tool};

use super::stored::{decode, encode};

pub(crate) type Tools = Arc<[Tool]>;

pub(crate) struct ToolMemory {
    server: String,
    fingerprint: String,
    clock: Arc<dyn Clock>,
    store: Option<Arc<dyn Store>>,
    known: Mutex<Option<Tools>>,
}

impl ToolMemory {
    pub(crate) fn new(
        server: String,
        fingerprint: String,
        clock: Arc<dyn Clock>,
        store: Option<Arc<dyn Store>>,
    ) -> Self {
        Self {
            server,
            fingerprint,
            clock,
            store,
            known: Mutex::default(),
        }
    }

    pub(crate) fn server(&self) -> &str {
        &self.server
    }

    /// Returns what this process has seen, or else what the store remembers.
    pub(crate) async fn recall(&self) -> Option<Tools> {
        if let Some(known) = self.known() {
            return Some(known);
        }
        let store = self.store.as_ref()?;
        let stored = match store.known_tools(&self.server, &self.fingerprint).await {
            Ok(stored) => stored?,
            Err(error) => {
                tracing::warn!(server = self.server, %error, "its tools cannot be recalled");
                return None;
            }
        };
        let tools: Tools = decode(&stored)?.into();
        // If another task has listed them meanwhile, that is newer.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(known.get_or_insert(tools)))
    }

    /// Remembers what a running server has just listed.
    pub(super) async fn remember(&self, tools: &Tools) {
        let before = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.replace(Arc::clone(tools))
        };
        if before.as_ref() == Some(tools) {
            return;
        }
        let Some(store) = &self.store else {
            return;
        };
        let result = store
            .remember_tools(&self.server, &self.fingerprint, encode(tools), self.now())
            .await;
        if let Err(error) = result {
            tracing::warn!(server = self.server, %error, "its tools cannot be remembered");
        }
    }

    fn known(&self) -> Option<Tools> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.clone()
    }

    fn now(&self) -> Timestamp {
        timestamp_of(self.clock.date())
    }
}

impl fmt::Debug for ToolMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolMemory")
            .field("server", &self.server)
            .finish_non_exhaustive()
    }
}
