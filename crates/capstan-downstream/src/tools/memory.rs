//! What is known of the tools of a server, whether it runs or not.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use capstan_core::code::Timestamp;
use capstan_core::date::timestamp_of;
use capstan_core::port::{Clock, Store, Tool};

use super::kept::{decode, encode};

pub(crate) type Tools = Arc<[Tool]>;

pub(crate) struct Memory {
    server: String,
    fingerprint: String,
    clock: Arc<dyn Clock>,
    store: Option<Arc<dyn Store>>,
    known: Mutex<Option<Tools>>,
}

impl Memory {
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

    /// What this process has seen, or else what the store remembers.
    pub(crate) async fn recall(&self) -> Option<Tools> {
        if let Some(known) = self.known() {
            return Some(known);
        }
        let store = self.store.as_ref()?;
        let kept = match store.known_tools(&self.server, &self.fingerprint).await {
            Ok(kept) => kept?,
            Err(error) => {
                tracing::warn!(server = self.server, %error, "its tools cannot be recalled");
                return None;
            }
        };
        let tools: Tools = decode(&kept)?.into();
        // What was seen meanwhile is newer.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(known.get_or_insert(tools)))
    }

    /// Keeps what a running server has just said.
    pub(super) async fn remember(&self, tools: &Tools) {
        let before = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.replace(Arc::clone(tools))
        };
        let Some(store) = self
            .store
            .as_ref()
            .filter(|_| before.as_ref() != Some(tools))
        else {
            return;
        };
        let kept = store
            .remember_tools(&self.server, &self.fingerprint, encode(tools), self.now())
            .await;
        if let Err(error) = kept {
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

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory")
            .field("server", &self.server)
            .finish_non_exhaustive()
    }
}
