//! What was read lately, by its source text.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use capstan_core::code::Script;

/// Bounded by number and by size; what was not asked for the longest goes first.
#[derive(Debug, Default)]
pub(crate) struct Cache(Mutex<Entries>);

#[derive(Debug, Default)]
struct Entries {
    by_source: HashMap<Arc<str>, Entry>,
    bytes: usize,
    clock: u64,
}

#[derive(Debug)]
struct Entry {
    script: Arc<Script>,
    bytes: usize,
    used: u64,
}

impl Cache {
    const MOST: usize = 256;
    const MOST_BYTES: usize = 8 << 20;

    pub(crate) fn get(&self, source: &str) -> Option<Arc<Script>> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.clock += 1;
        let clock = entries.clock;
        let entry = entries.by_source.get_mut(source)?;
        entry.used = clock;
        Some(Arc::clone(&entry.script))
    }

    pub(crate) fn put(&self, source: &str, script: &Arc<Script>) {
        // What it mentions is about as long as the source.
        let bytes = 2 * source.len() + script.javascript.len() + script.source_map.len();
        if bytes > Self::MOST_BYTES {
            return;
        }
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entries = &mut *entries;
        entries.clock += 1;
        let entry = Entry {
            script: Arc::clone(script),
            bytes,
            used: entries.clock,
        };
        entries.bytes += bytes;
        if let Some(old) = entries.by_source.insert(source.into(), entry) {
            entries.bytes -= old.bytes;
        }
        while entries.by_source.len() > Self::MOST || entries.bytes > Self::MOST_BYTES {
            let oldest = entries.by_source.iter().min_by_key(|(_, entry)| entry.used);
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
        let cache = Cache::default();
        cache.put("first", &script(1));
        for i in 0..Cache::MOST - 1 {
            cache.put(&i.to_string(), &script(1));
        }
        assert!(cache.get("first").is_some());
        cache.put("one more", &script(1));
        assert!(cache.get("first").is_some());
        assert!(cache.get("0").is_none());
        assert!(cache.get("1").is_some());
    }

    #[test]
    fn size_is_bounded_too() {
        let cache = Cache::default();
        cache.put("large", &script(Cache::MOST_BYTES - 100));
        cache.put("small", &script(200));
        assert!(cache.get("large").is_none());
        assert!(cache.get("small").is_some());
        cache.put("too large", &script(Cache::MOST_BYTES));
        assert!(cache.get("too large").is_none());
        assert!(cache.get("small").is_some());
        // The same again does not count twice.
        for _ in 0..3 {
            cache.put("half", &script(Cache::MOST_BYTES / 2));
        }
        assert!(cache.get("small").is_some());
    }
}
