//! The in-memory search index, refreshed before each search.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use futures_util::lock::Mutex;

use capstan_core::ResultError;
use capstan_core::port::Embedder;
use capstan_search::{Document, Index};

use super::circuit_breaker::LastFailure;
use super::index_entry::{IndexEntry, IndexedCapability};
use super::label::label;

/// The search index with its lock.
#[derive(Default)]
pub(crate) struct SearchIndex {
    state: RwLock<IndexState>,
    /// Held during a refresh: one refresh runs at a time.
    refreshing: Mutex<()>,
    pub(super) failure: LastFailure,
}

#[derive(Default)]
pub(super) struct IndexState {
    /// Created with the first vectors, which determine the dimension.
    pub(super) index: Option<Index>,
    /// The capabilities that a search can return, by key in the index.
    pub(super) capabilities: BTreeMap<String, IndexedCapability>,
    /// The keys of each group, to find out what has been removed from it.
    groups: HashMap<String, BTreeSet<String>>,
    /// The revision of the store up to which code is indexed.
    pub(super) code_at: u64,
    /// The keys of code, by FQDN.
    pub(super) code: HashMap<String, String>,
    /// Entries without vectors, because the embedder failed, with the texts to embed.
    without_vector: BTreeMap<String, (Document, Vec<String>)>,
    /// The number of changes since the index was saved.
    pub(super) changes: usize,
    /// Whether loading a saved index was tried.
    pub(super) was_loaded: bool,
}

impl SearchIndex {
    pub(super) fn read(&self) -> RwLockReadGuard<'_, IndexState> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, IndexState> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) async fn lock_refresh(&self) -> futures_util::lock::MutexGuard<'_, ()> {
        self.refreshing.lock().await
    }

    /// Adds new and changed entries. Entries without vectors are found by their words alone; the returned
    /// warning says why.
    pub(super) async fn put(
        &self,
        entries: Vec<IndexEntry>,
        embedder: Option<&dyn Embedder>,
    ) -> Option<String> {
        let (mut fresh, known): (Vec<_>, Vec<_>) = {
            let state = self.read();
            entries
                .into_iter()
                .partition(|entry| !state.contains_unchanged(entry))
        };
        let waiting: Vec<(Document, Vec<String>)> =
            self.read().without_vector.values().cloned().collect();
        let of_fresh = fresh.iter().map(IndexEntry::texts);
        let of_waiting = waiting.iter().map(|(_, texts)| texts.clone());
        let texts: Vec<Vec<String>> = of_fresh.chain(of_waiting).collect();
        if texts.is_empty() && known.is_empty() {
            return None;
        }
        let (vectors, problem) = match embedder {
            Some(embedder) if !texts.is_empty() => vectors_of(&texts, embedder).await,
            _ => (vec![Vec::new(); texts.len()], None),
        };
        let mut state = self.write();
        let mut all = texts.into_iter().zip(vectors);
        for (entry, (texts, vectors)) in fresh.drain(..).zip(all.by_ref()) {
            state.index_one(&entry.document, texts, &vectors, embedder);
            state.insert(entry);
            state.changes += 1;
        }
        for ((document, _), (texts, vectors)) in waiting.into_iter().zip(all) {
            if !vectors.is_empty() {
                state.without_vector.remove(&document.id);
                state.index_one(&document, texts, &vectors, embedder);
            }
        }
        // Their texts are unchanged, but their reliability may have changed.
        for entry in known {
            state.insert(entry);
        }
        problem
    }

    /// Replaces a group of entries: those that are no longer in it are removed.
    pub(super) async fn put_group(
        &self,
        group: &str,
        entries: Vec<IndexEntry>,
        embedder: Option<&dyn Embedder>,
    ) -> Option<String> {
        let now: BTreeSet<String> = entries.iter().map(|it| it.key().to_owned()).collect();
        let problem = self.put(entries, embedder).await;
        let mut state = self.write();
        let before = state.groups.insert(group.to_owned(), now.clone());
        for key in before.unwrap_or_default().difference(&now) {
            state.remove(key);
        }
        problem
    }
}

impl IndexState {
    fn contains_unchanged(&self, entry: &IndexEntry) -> bool {
        let index = self.index.as_ref();
        index.is_some_and(|index| index.contains(entry.key(), entry.document.digest()))
    }

    /// Makes an entry visible to searches. Code that had another key is removed from there.
    fn insert(&mut self, entry: IndexEntry) {
        let key = entry.key().to_owned();
        if let Some(fqdn) = &entry.capability.fqdn {
            if self.code.get(fqdn).is_some_and(|before| *before != key) {
                self.remove_code(fqdn);
            }
            self.code.insert(fqdn.clone(), key.clone());
        }
        if let Some(index) = &mut self.index {
            index.set_label(&key, label(&entry.capability));
        }
        self.capabilities.insert(key, entry.capability);
    }

    /// Labels all capabilities, so that the index can filter without looking them up.
    pub(super) fn label_all(&mut self) {
        if let Some(index) = &mut self.index {
            for (key, capability) in &self.capabilities {
                index.set_label(key, label(capability));
            }
        }
    }

    /// Returns whether a key belongs to a capability other than code, which then owns the name.
    pub(super) fn is_taken(&self, key: &str) -> bool {
        let capability = self.capabilities.get(key);
        capability.is_some_and(|capability| capability.fqdn.is_none())
    }

    /// Returns whether no entry waits for its vectors.
    pub(super) fn has_all_vectors(&self) -> bool {
        self.without_vector.is_empty()
    }

    /// Returns whether vectors have another dimension than the indexed ones. Then they come from another
    /// model, whatever its name is.
    pub(super) fn is_of_another_model(&self, vectors: &[Vec<f32>]) -> bool {
        let dimension = self.index.as_ref().map_or(0, Index::dimension);
        dimension > 0 && vectors.iter().any(|it| it.len() != dimension)
    }

    /// Empties the index, so that everything is indexed again.
    pub(super) fn reset(&mut self) {
        *self = Self {
            was_loaded: true,
            ..Self::default()
        };
    }

    pub(super) fn has_group(&self, group: &str) -> bool {
        self.groups.contains_key(group)
    }

    pub(super) fn remove(&mut self, key: &str) {
        if let Some(index) = &mut self.index {
            index.remove(key);
        }
        self.capabilities.remove(key);
        self.without_vector.remove(key);
        self.changes += 1;
    }

    /// Removes code. If another capability has taken its key, that one stays.
    pub(super) fn remove_code(&mut self, fqdn: &str) {
        let is_its = |key: &String| {
            let there = self.capabilities.get(key);
            there.is_some_and(|it| it.fqdn.as_deref() == Some(fqdn))
        };
        if let Some(key) = self.code.remove(fqdn).filter(is_its) {
            self.remove(&key);
        }
    }

    fn index_one(
        &mut self,
        document: &Document,
        texts: Vec<String>,
        vectors: &[Vec<f32>],
        embedder: Option<&dyn Embedder>,
    ) {
        let model = embedder.map_or("", Embedder::model);
        let dimension = vectors.first().map_or(0, Vec::len);
        // An index without any vectors can be rebuilt with the right dimension.
        let is_first = |index: &Index| index.dimension() == 0 && dimension > 0;
        if self.index.as_ref().is_none_or(is_first) {
            let mut index = Index::new(model, dimension);
            for (waiting, _) in self.without_vector.values() {
                let put = index.put(waiting, &[]);
                debug_assert!(put.is_ok(), "no vector has no wrong length");
            }
            self.index = Some(index);
            self.label_all();
        }
        let Some(index) = &mut self.index else {
            return;
        };
        let fits = |vector: &Vec<f32>| vector.len() == index.dimension();
        let fitting = if vectors.iter().all(fits) {
            vectors
        } else {
            &[]
        };
        // Vectors of the right dimension are accepted; others are not passed.
        let put = index.put(document, fitting);
        if let Some(capability) = self.capabilities.get(&document.id) {
            index.set_label(&document.id, label(capability));
        }
        let is_missing = fitting.is_empty() && embedder.is_some();
        if is_missing || put.is_err() {
            let waiting = (document.clone(), texts);
            self.without_vector.insert(document.id.clone(), waiting);
        }
    }
}

/// Returns the vectors for the texts of each entry. If the embedder fails, all are empty and the warning says
/// why.
async fn vectors_of(
    texts: &[Vec<String>],
    embedder: &dyn Embedder,
) -> (Vec<Vec<Vec<f32>>>, Option<String>) {
    let all: Vec<String> = texts.iter().flatten().cloned().collect();
    match embedder.embed(&all).await {
        Ok(made) => {
            let mut made = made.into_iter();
            let vectors = texts
                .iter()
                .map(|texts| made.by_ref().take(texts.len()).collect());
            (vectors.collect(), None)
        }
        Err(error) => {
            let none = vec![Vec::new(); texts.len()];
            (none, Some(embedding_warning(&error)))
        }
    }
}

pub(super) fn embedding_warning(error: &ResultError) -> String {
    format!("searched by words only, not by meaning: {}", error.message)
}
