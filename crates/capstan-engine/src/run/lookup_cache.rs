//! What lookups found that never changes, by the request that found it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use capstan_core::RouteRequest;

/// How many results are remembered at the most.
const MOST_REMEMBERED: usize = 10_000;

#[derive(Debug, Default)]
pub(crate) struct LookupCache(Mutex<HashMap<String, Value>>);

impl LookupCache {
    pub(super) fn get(&self, key: &str) -> Option<Value> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(key)
            .cloned()
    }

    pub(super) fn put(&self, key: String, value: Value) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A server that lives for months must not remember for months.
        if known.len() >= MOST_REMEMBERED {
            known.clear();
        }
        known.insert(key, value);
    }
}

pub(super) fn cache_key(request: &RouteRequest) -> String {
    serde_json::to_string(request).unwrap_or_default()
}
