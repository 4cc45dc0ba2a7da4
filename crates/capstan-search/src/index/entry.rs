//! One document, as the index stores it.

use std::collections::HashMap;

use super::field::{Counts, FIELDS};
use crate::text::meaningful_words;
use crate::{Digest, Document};

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: Box<str>,
    pub(crate) names: Box<[Box<str>]>,
    pub(crate) digest: Digest,
    /// The words of the document, each once.
    pub(crate) words: Box<[Usage]>,
}

/// A word of a document, and how often it occurs in each field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) word: u32,
    pub(crate) counts: Counts,
}

/// Returns the words of a document with their counts, sorted, and the number of words in each
/// field.
pub(crate) fn usages(document: &Document) -> (Vec<(String, Counts)>, Counts) {
    let mut all: HashMap<String, Counts> = HashMap::new();
    let mut lengths = Counts::default();
    let mut add = |text: &str, field: usize| {
        for word in meaningful_words(text) {
            let counts = all.entry(word).or_default();
            counts[field] = counts[field].saturating_add(1);
            lengths[field] = lengths[field].saturating_add(1);
        }
    };
    add(&document.id, 0);
    document.names.iter().for_each(|it| add(it, 0));
    add(&document.description, 1);
    document.intents.iter().for_each(|it| add(it, 2));
    document.parameters.iter().for_each(|it| add(it, 3));
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_unstable();
    (all, lengths)
}

/// Returns the sum of the counts, at most 255 each.
pub(crate) fn add_counts(one: Counts, two: Counts) -> Counts {
    std::array::from_fn::<u8, FIELDS, _>(|field| one[field].saturating_add(two[field]))
}
