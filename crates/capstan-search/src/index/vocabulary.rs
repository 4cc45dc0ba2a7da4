//! All words of all documents, as written and by their stems, with the documents that have them.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use super::entry::{Usage, add_counts};
use super::field::Counts;
use super::fuzzy::{FuzzyWord, Letters};
use super::slots::Slots;
use crate::text::stem;

/// The words and stems of all documents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary {
    words: Slots<Word>,
    by_word: HashMap<Arc<str>, u32>,
    /// The letters of each slot of `words`. A free slot keeps those of its former word.
    letters: Vec<Letters>,
    terms: Slots<Term>,
    stem_letters: Vec<Letters>,
    by_stem: HashMap<Arc<str>, u32>,
}

/// A word as it is written.
#[derive(Clone, Debug)]
struct Word {
    text: Arc<str>,
    term: u32,
    documents: u32,
}

/// All words with one stem.
#[derive(Clone, Debug)]
struct Term {
    stem: Arc<str>,
    words: u32,
    /// The postings, sorted by document.
    postings: Vec<Posting>,
}

/// A document that has a word, and how often it occurs in each field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Posting {
    pub(crate) document: u32,
    pub(crate) counts: Counts,
}

/// A known word that is similar to a misspelled one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SimilarWord<'a> {
    pub(crate) text: &'a str,
    pub(crate) term: u32,
    pub(crate) postings: &'a [Posting],
    pub(crate) errors: usize,
}

impl Vocabulary {
    /// Returns the slot of a word, and adds the word if necessary. The caller must add it to a
    /// document; otherwise it stays for ever.
    pub(crate) fn place(&mut self, text: &str) -> u32 {
        match self.by_word.get(text) {
            Some(&word) => word,
            None => self.add_word(text),
        }
    }

    /// Records that a document has a word.
    pub(crate) fn add(&mut self, document: u32, usage: Usage) {
        let Some(word) = self.words.get_mut(usage.word) else {
            return;
        };
        word.documents += 1;
        if let Some(term) = self.terms.get_mut(word.term) {
            term.add(document, usage.counts);
        }
    }

    pub(crate) fn remove(&mut self, document: u32, words: &[Usage]) {
        for usage in words {
            let Some(word) = self.words.get_mut(usage.word) else {
                continue;
            };
            word.documents -= 1;
            let (term, unused) = (word.term, word.documents == 0);
            if let Some(term) = self.terms.get_mut(term) {
                term.remove(document);
            }
            if unused {
                self.remove_word(usage.word);
            }
        }
    }

    /// Returns the slot of the word's stem and the stem's documents; `None` if no document has it.
    pub(crate) fn postings(&self, word: &str) -> Option<(u32, &[Posting])> {
        let term = *self.by_stem.get(stem(word).as_str())?;
        Some((term, self.terms.get(term)?.postings.as_slice()))
    }

    /// Returns the slot of a word's stem, and how many documents have the stem.
    pub(crate) fn stem_of(&self, word: u32) -> Option<(u32, usize)> {
        let term = self.words.get(word)?.term;
        Some((term, self.terms.get(term)?.postings.len()))
    }

    /// Returns all words with their slots.
    pub(crate) fn words(&self) -> impl Iterator<Item = (u32, &str)> {
        self.words.iter().map(|(place, word)| (place, &*word.text))
    }

    /// Returns the word or stem within that many typing errors: the nearest, and among those the
    /// most common.
    pub(crate) fn near(&self, wanted: &str, most: usize) -> Option<SimilarWord<'_>> {
        let near = FuzzyWord::new(wanted, most);
        let words = may_be(&near, &self.letters).filter_map(|place| {
            let word = self.words.get(place)?;
            Some((&*word.text, word.term, word.documents as usize))
        });
        let stems = may_be(&near, &self.stem_letters).filter_map(|place| {
            let term = self.terms.get(place)?;
            Some((&*term.stem, place, 0))
        });
        let alike = words.chain(stems).filter_map(|(text, term, documents)| {
            let errors = near.distance(text)?;
            let postings = self.terms.get(term)?.postings.as_slice();
            Some((
                errors,
                Reverse(documents),
                SimilarWord {
                    text,
                    term,
                    postings,
                    errors,
                },
            ))
        });
        alike
            .min_by(|one, two| (one.0, one.1, one.2.text).cmp(&(two.0, two.1, two.2.text)))
            .map(|(_, _, alike)| alike)
    }

    /// Returns the most common words that begin with the text, which has at least two bytes.
    pub(crate) fn beginning(&self, with: &str, most: usize) -> Vec<&str> {
        let wanted = Letters::from_word(with);
        let places = self.letters.iter().zip(0..);
        let places = places.filter(|(letters, _)| letters.may_begin_with(wanted));
        let all = places.filter_map(|(_, place)| self.words.get(place));
        let mut found: Vec<_> = all.filter(|word| word.text.starts_with(with)).collect();
        found.sort_unstable_by(|one, two| {
            let order = two.documents.cmp(&one.documents);
            order.then_with(|| one.text.cmp(&two.text))
        });
        found.truncate(most);
        found.into_iter().map(|word| &*word.text).collect()
    }

    fn add_word(&mut self, text: &str) -> u32 {
        let stem = stem(text);
        let term = match self.by_stem.get(stem.as_str()) {
            Some(&term) => term,
            None => {
                let stem: Arc<str> = stem.into();
                let term = self.terms.add(Term {
                    stem: Arc::clone(&stem),
                    words: 0,
                    postings: Vec::new(),
                });
                set(&mut self.stem_letters, term, Letters::from_word(&stem));
                self.by_stem.insert(stem, term);
                term
            }
        };
        if let Some(term) = self.terms.get_mut(term) {
            term.words += 1;
        }
        let text: Arc<str> = text.into();
        let word = self.words.add(Word {
            text: Arc::clone(&text),
            term,
            documents: 0,
        });
        set(&mut self.letters, word, Letters::from_word(&text));
        self.by_word.insert(text, word);
        word
    }

    fn remove_word(&mut self, word: u32) {
        let Some(word) = self.words.remove(word) else {
            return;
        };
        self.by_word.remove(&word.text);
        let Some(term) = self.terms.get_mut(word.term) else {
            return;
        };
        term.words -= 1;
        if term.words == 0
            && let Some(term) = self.terms.remove(word.term)
        {
            self.by_stem.remove(&term.stem);
        }
    }
}

impl Term {
    fn add(&mut self, document: u32, counts: Counts) {
        // Most documents are new, so they come last.
        let last = self.postings.last().map(|it| it.document);
        if last.is_none_or(|last| last < document) {
            self.postings.push(Posting { document, counts });
            return;
        }
        match self.at(document) {
            Ok(at) => self.postings[at].counts = add_counts(self.postings[at].counts, counts),
            Err(at) => self.postings.insert(at, Posting { document, counts }),
        }
    }

    /// Removes the document. All words of a document are removed together, so the first one removes
    /// the counts of the others.
    fn remove(&mut self, document: u32) {
        if let Ok(at) = self.at(document) {
            self.postings.remove(at);
        }
    }

    fn at(&self, document: u32) -> Result<usize, usize> {
        self.postings
            .binary_search_by_key(&document, |it| it.document)
    }
}

/// Sets the letters of a slot. Slots are allocated in order, so a new one is the next.
fn set(all: &mut Vec<Letters>, place: u32, letters: Letters) {
    match all.get_mut(place as usize) {
        Some(slot) => *slot = letters,
        None => all.push(letters),
    }
}

/// Returns the slots whose letters do not rule them out.
fn may_be(near: &FuzzyWord, all: &[Letters]) -> impl Iterator<Item = u32> {
    let places = all.iter().zip(0_u32..);
    places.filter_map(|(letters, place)| near.may_be(*letters).then_some(place))
}
