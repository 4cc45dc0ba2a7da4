//! A cache of scripts that were read, by source text.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use capstan_core::code::Script;

/// Limited by number and by size. The least recently used script is removed first.
#[derive(Debug, Default)]
pub(crate) struct ScriptCache(Mutex<CacheEntries>);

#[derive(Debug, Default)]
struct CacheEntries {
    by_source: HashMap<Arc<str>, CacheEntry>,
    bytes: usize,
    clock: u64,
}

#[derive(Debug)]
struct CacheEntry {
    script: Arc<Script>,
    bytes: usize,
    last_used: u64,
}

impl ScriptCache {
    const MAX_ENTRIES: usize = 256;
    const MAX_BYTES: usize = 8 << 20;

    pub(crate) fn get(&self, source: &str) -> Option<Arc<Script>> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.clock += 1;
        let clock = entries.clock;
        let entry = entries.by_source.get_mut(source)?;
        entry.last_used = clock;
        Some(Arc::clone(&entry.script))
    }

    pub(crate) fn insert(&self, source: &str, script: &Arc<Script>) {
        // The mentions are about as long as the source.
        let bytes = 2 * source.len() + script.javascript.len() + script.source_map.len();
        if bytes > Self::MAX_BYTES {
            return;
        }
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entries = &mut *entries;
        entries.clock += 1;
        let entry = CacheEntry {
            script: Arc::clone(script),
            bytes,
            last_used: entries.clock,
        };
        entries.bytes += bytes;
        if let Some(old) = entries.by_source.insert(source.into(), entry) {
            entries.bytes -= old.bytes;
        }
        while entries.by_source.len() > Self::MAX_ENTRIES || entries.bytes > Self::MAX_BYTES {
            let oldest = entries
                .by_source
                .iter()
                .min_by_key(|(_, entry)| entry.last_used);
            let Some(oldest) = oldest.map(|(source, _)| Arc::clone(source)) else {
                return;
            };
            if let Some(old) = entries.by_source.remove(&oldest) {
                entries.bytes -= old.bytes;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use capstan_core::code::{CodeHash, Mentions};

    use super::*;

    fn script(size: usize) -> Arc<Script> {
        Arc::new(Script {
            hash: CodeHash::from_bytes([0; 32]),
            javascript: "x".repeat(size),
            source_map: String::new(),
            calls: Vec::new(),
            parameters: serde_json::Value::Null,
            mentions: Mentions::default(),
        })
    }

    #[test]
    fn what_was_not_asked_for_goes_first() {
        let cache = ScriptCache::default();
        cache.insert("first", &script(1));
        for i in 0..ScriptCache::MAX_ENTRIES - 1 {
            cache.insert(&i.to_string(), &script(1));
        }
        assert!(cache.get("first").is_some());
        cache.insert("one more", &script(1));
        assert!(cache.get("first").is_some());
        assert!(cache.get("0").is_none());
        assert!(cache.get("1").is_some());
    }

    #[test]
    fn size_is_bounded_too() {
        let cache = ScriptCache::default();
        cache.insert("large", &script(ScriptCache::MAX_BYTES - 100));
        cache.insert("small", &script(200));
        assert!(cache.get("large").is_none());
        assert!(cache.get("small").is_some());
        cache.insert("too large", &script(ScriptCache::MAX_BYTES));
        assert!(cache.get("too large").is_none());
        assert!(cache.get("small").is_some());
        // Adding the same source again does not count twice.
        for _ in 0..3 {
            cache.insert("half", &script(ScriptCache::MAX_BYTES / 2));
        }
        assert!(cache.get("small").is_some());
    }
}
