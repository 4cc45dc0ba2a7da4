//! Caches lookups that rarely change, by request.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use capstan_core::port::Clock;
use capstan_core::{RouteRequest, ServiceName};

/// The most results that are kept.
const MOST_REMEMBERED: usize = 10_000;

/// How long results are kept. Names can move: a repository is renamed, and a new one takes its name.
const REMEMBERED_FOR: Duration = Duration::from_secs(10 * 60);

pub(crate) struct LookupCache {
    clock: Arc<dyn Clock>,
    known: Mutex<HashMap<String, (Instant, Value)>>,
}

impl LookupCache {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            known: Mutex::default(),
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<Value> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (found, value) = known.get(key)?;
        let age = self.clock.now().saturating_duration_since(*found);
        (age < REMEMBERED_FOR).then(|| value.clone())
    }

    pub(super) fn put(&self, key: String, value: Value) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_REMEMBERED {
            known.clear();
        }
        known.insert(key, (self.clock.now(), value));
    }
}

/// Returns the key of a lookup on GitHub or on a service.
pub(super) fn cache_key(service: Option<&ServiceName>, request: &RouteRequest) -> String {
    let service = service.map_or("", ServiceName::as_str);
    let request = serde_json::to_string(request).unwrap_or_default();
    format!("{service} {request}")
}
