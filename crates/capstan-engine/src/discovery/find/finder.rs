//! The index of everything that can be found, brought up to date before each search.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use futures_util::lock::Mutex;

use capstan_core::ResultError;
use capstan_core::card::Kind;
use capstan_core::port::Embedder;
use capstan_search::{Document, Index};

use super::careful::Failure;
use super::entry::{IndexEntry, Shown};

/// What can be found, held in memory.
#[derive(Default)]
pub(crate) struct Finder {
    held: RwLock<Held>,
    /// One brings it up to date at a time.
    refreshing: Mutex<()>,
    pub(super) failure: Failure,
}

#[derive(Default)]
pub(super) struct Held {
    /// Made with the first vectors: how long they are is known only then.
    pub(super) index: Option<Index>,
    /// What is shown, by the key in the index.
    pub(super) shown: BTreeMap<String, Shown>,
    /// Where each group of entries stood, to tell what is gone from it.
    groups: HashMap<String, BTreeSet<String>>,
    /// Up to which change of the store code is in here.
    pub(super) code_at: u64,
    /// Where code is, by its full name.
    pub(super) code: HashMap<String, String>,
    /// Entries that are there without a vector, because the embedder failed, with the texts of theirs.
    without_vector: BTreeMap<String, (Document, Vec<String>)>,
    /// How many changes were made since it was kept.
    pub(super) changes: usize,
    /// What was kept was looked for.
    pub(super) was_loaded: bool,
}

impl Finder {
    pub(super) fn read(&self) -> RwLockReadGuard<'_, Held> {
        self.held.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Held> {
        self.held.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) async fn alone(&self) -> futures_util::lock::MutexGuard<'_, ()> {
        self.refreshing.lock().await
    }

    /// Takes over entries that are new or not as they were. Those without a vector are found by their
    /// words alone; the text says why.
    pub(super) async fn put(
        &self,
        entries: Vec<IndexEntry>,
        embedder: Option<&dyn Embedder>,
    ) -> Option<String> {
        let (mut fresh, known): (Vec<_>, Vec<_>) = {
            let held = self.read();
            entries.into_iter().partition(|entry| !held.has(entry))
        };
        let waiting: Vec<(Document, Vec<String>)> =
            self.read().without_vector.values().cloned().collect();
        let of_fresh = fresh.iter().map(IndexEntry::texts);
        let of_waiting = waiting.iter().map(|(_, texts)| texts.clone());
        let texts: Vec<Vec<String>> = of_fresh.chain(of_waiting).collect();
        if texts.is_empty() && known.is_empty() {
            return None;
        }
        let (vectors, problem) = match embedder.filter(|_| !texts.is_empty()) {
            Some(embedder) => vectors_of(&texts, embedder).await,
            None => (vec![Vec::new(); texts.len()], None),
        };
        let mut held = self.write();
        let mut all = texts.into_iter().zip(vectors);
        for (entry, (texts, vectors)) in fresh.drain(..).zip(all.by_ref()) {
            held.index_one(&entry.document, texts, &vectors, embedder);
            held.show(entry);
            held.changes += 1;
        }
        for ((document, _), (texts, vectors)) in waiting.into_iter().zip(all) {
            if !vectors.is_empty() {
                held.without_vector.remove(&document.id);
                held.index_one(&document, texts, &vectors, embedder);
            }
        }
        // Their texts are the same; how reliable they are may not be.
        for entry in known {
            held.show(entry);
        }
        problem
    }

    /// Everything of one group: what is no more in it is gone.
    pub(super) async fn put_group(
        &self,
        group: &str,
        entries: Vec<IndexEntry>,
        embedder: Option<&dyn Embedder>,
    ) -> Option<String> {
        let now: BTreeSet<String> = entries.iter().map(|it| it.key().to_owned()).collect();
        let problem = self.put(entries, embedder).await;
        let mut held = self.write();
        let before = held.groups.insert(group.to_owned(), now.clone());
        for key in before.unwrap_or_default().difference(&now) {
            held.remove(key);
        }
        problem
    }
}

impl Held {
    fn has(&self, entry: &IndexEntry) -> bool {
        let index = self.index.as_ref();
        index.is_some_and(|index| index.contains(entry.key(), entry.document.digest()))
    }

    /// From now on it can be found. Code that was elsewhere is no more there.
    fn show(&mut self, entry: IndexEntry) {
        let key = entry.key().to_owned();
        if let Some(fqdn) = &entry.shown.fqdn {
            if self.code.get(fqdn).is_some_and(|before| *before != key) {
                self.remove_code(fqdn);
            }
            self.code.insert(fqdn.clone(), key.clone());
        }
        if let Some(index) = &mut self.index {
            index.set_label(&key, label_of(entry.shown.kind));
        }
        self.shown.insert(key, entry.shown);
    }

    /// What is shown can be told from what is not, and by its kind, without a look at it.
    pub(super) fn label_all(&mut self) {
        if let Some(index) = &mut self.index {
            for (key, shown) in &self.shown {
                index.set_label(key, label_of(shown.kind));
            }
        }
    }

    /// Whether something that is no code has a name: then it is what the name means.
    pub(super) fn is_taken(&self, key: &str) -> bool {
        let shown = self.shown.get(key);
        shown.is_some_and(|shown| shown.fqdn.is_none())
    }

    /// Everything has its vectors, as far as there are any.
    pub(super) fn is_whole(&self) -> bool {
        self.without_vector.is_empty()
    }

    /// Whether vectors are longer or shorter than those that are held: then they are of another model,
    /// whatever it is called.
    pub(super) fn is_of_another_model(&self, vectors: &[Vec<f32>]) -> bool {
        let dimension = self.index.as_ref().map_or(0, Index::dimension);
        dimension > 0 && vectors.iter().any(|it| it.len() != dimension)
    }

    /// Everything is to be indexed anew.
    pub(super) fn begin_anew(&mut self) {
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
        self.shown.remove(key);
        self.without_vector.remove(key);
        self.changes += 1;
    }

    /// Code is no more where it was. What has taken its name meanwhile stays.
    pub(super) fn remove_code(&mut self, fqdn: &str) {
        let is_its = |key: &String| {
            let there = self.shown.get(key);
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
        // As long as there is no vector at all, everything waits for one and can be put again.
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
        let fitting = match vectors.iter().all(fits) {
            true => vectors,
            false => &[],
        };
        // Vectors of the right length are taken, and those of another are not given.
        let put = index.put(document, fitting);
        if let Some(shown) = self.shown.get(&document.id) {
            index.set_label(&document.id, label_of(shown.kind));
        }
        let is_missing = fitting.is_empty() && embedder.is_some();
        if is_missing || put.is_err() {
            let waiting = (document.clone(), texts);
            self.without_vector.insert(document.id.clone(), waiting);
        }
    }
}

/// Never 0, which is the label of what is not shown.
pub(super) fn label_of(kind: Kind) -> u8 {
    kind as u8 + 1
}

/// The vectors of the texts of each entry; none of any, and why, if there are none.
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
            (none, Some(meanings_are_missing(&error)))
        }
    }
}

pub(super) fn meanings_are_missing(error: &ResultError) -> String {
    format!("what words mean was not looked at: {}", error.message)
}
