//! The index: documents by their keys, added and removed one at a time.

use std::collections::HashMap;

use super::entry::{Entry, Usage, usages};
use super::field::{Counts, Lengths};
use super::names::{Name, Names};
use super::slots::Slots;
use super::vectors::Vectors;
use super::vocabulary::Vocabulary;
use crate::vector::Quantized;
use crate::{Digest, Document, VectorError};

/// Documents that can be searched. Results depend on its content, not on the order of changes.
#[derive(Clone, Debug)]
pub struct Index {
    pub(crate) model: String,
    pub(crate) entries: Slots<Entry>,
    pub(crate) by_key: HashMap<Box<str>, u32>,
    pub(crate) names: Names,
    pub(crate) lengths: Lengths,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) vectors: Vectors,
    /// The labels by place, up to the last place that has one.
    labels: Vec<u8>,
}

impl Index {
    /// Returns an empty index for vectors of the given dimension, made by the model of this name.
    pub fn new(model: impl Into<String>, dimension: usize) -> Self {
        Self {
            model: model.into(),
            entries: Slots::default(),
            by_key: HashMap::new(),
            names: Names::default(),
            lengths: Lengths::default(),
            vocabulary: Vocabulary::default(),
            vectors: Vectors::new(dimension),
            labels: Vec::new(),
        }
    }

    /// Returns the name of the model that made the vectors. Vectors of another model cannot be
    /// compared with them.
    pub fn model(&self) -> &str {
        &self.model
    }

    pub fn dimension(&self) -> usize {
        self.vectors.dimension()
    }

    pub fn len(&self) -> usize {
        self.by_key.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.by_key.keys().map(|key| &**key)
    }

    /// Returns whether the index has a document with this key and this digest.
    pub fn contains(&self, key: &str, digest: Digest) -> bool {
        let entry = self.by_key.get(key).and_then(|&it| self.entries.get(it));
        entry.is_some_and(|it| it.digest == digest)
    }

    /// Adds a document, and replaces the one with the same id. The vectors are those of its
    /// [texts](Document::texts); without vectors it is found by its words alone.
    pub fn put(&mut self, document: &Document, vectors: &[Vec<f32>]) -> Result<(), VectorError> {
        for vector in vectors {
            self.vectors.check(vector)?;
        }
        self.remove(&document.id);
        let (words, lengths) = usages(document);
        let words = words.into_iter().map(|(text, counts)| Usage {
            word: self.vocabulary.place(&text),
            counts,
        });
        let entry = Entry {
            key: document.id.as_str().into(),
            names: document.names.iter().map(|it| it.as_str().into()).collect(),
            digest: document.digest(),
            words: words.collect(),
        };
        let vectors = vectors.iter().map(|it| Quantized::new(it)).collect();
        self.insert(entry, lengths, vectors);
        Ok(())
    }

    /// Sets the label of a document, which filters of searches receive. It is 0 until then, and
    /// again after the document is replaced.
    pub fn set_label(&mut self, key: &str, label: u8) {
        if let Some(&place) = self.by_key.get(key) {
            let at = place as usize;
            if self.labels.len() <= at {
                self.labels.resize(at + 1, 0);
            }
            self.labels[at] = label;
        }
    }

    pub(crate) fn label(&self, place: u32) -> u8 {
        self.labels.get(place as usize).copied().unwrap_or_default()
    }

    /// Removes a document. Returns whether it was there.
    pub fn remove(&mut self, key: &str) -> bool {
        let Some(place) = self.by_key.remove(key) else {
            return false;
        };
        let Some(entry) = self.entries.remove(place) else {
            return false;
        };
        self.names.remove(&entry.key, place);
        for name in &entry.names {
            self.names.remove(name, place);
        }
        self.lengths.remove(place);
        self.vocabulary.remove(place, &entry.words);
        self.vectors.set(place, Vec::new());
        if let Some(label) = self.labels.get_mut(place as usize) {
            *label = 0;
        }
        true
    }

    /// Inserts an entry for a document that is not there. The places of its words must be allocated
    /// already.
    pub(crate) fn insert(&mut self, entry: Entry, lengths: Counts, vectors: Vec<Quantized>) {
        let place = self.entries.next();
        self.names.add(&entry.key, place, Name::Id);
        for name in &entry.names {
            self.names.add(name, place, Name::Other);
        }
        self.by_key.insert(entry.key.clone(), place);
        self.lengths.add(place, lengths);
        for usage in &entry.words {
            self.vocabulary.add(place, *usage);
        }
        self.vectors.set(place, vectors);
        self.entries.add(entry);
    }
}
