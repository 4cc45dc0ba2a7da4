//! BM25 over the fields of documents: how well a document's words match.

use super::query_words::{Match, QueryWord};
use crate::Index;
use crate::index::{Counts, FIELDS, Posting};

/// The weights of the fields: id and names, description, intents, parameters.
const WEIGHTS: [f32; FIELDS] = [1.5, 1.0, 1.5, 0.2];

/// How occurrences of a word are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counting {
    /// How soon further occurrences stop counting: the smaller, the sooner. A document with a word
    /// in its name, its description and its parameters must not outweigh one that has only a
    /// description with the word.
    saturation: f32,
    /// How much less an occurrence counts in a longer field, from 0 to 1.
    length: f32,
}

impl Counting {
    /// For words alone.
    pub(crate) const ALONE: Self = Self {
        saturation: 1.2,
        length: 0.5,
    };

    /// The weights when vectors are compared as well. Vectors show what a document is mostly about, so it
    /// only matters whether a word occurs, and hardly how often.
    pub(crate) const BESIDE_MEANING: Self = Self {
        saturation: 0.5,
        length: 0.4,
    };
}

/// The usual number of words in each field. It is not the mean of the catalogue: there, short
/// descriptions would be measured by long ones, and adding unrelated documents would change a
/// document's rank.
const USUAL_LENGTHS: [f32; FIELDS] = [3.0, 10.0, 20.0, 20.0];

/// Weighs words and documents.
#[derive(Debug)]
pub(crate) struct Bm25<'a> {
    index: &'a Index,
    saturation: f32,
    /// The value of an occurrence, by field and field length.
    worth: Box<[[f32; 256]; FIELDS]>,
}

impl<'a> Bm25<'a> {
    pub(crate) fn new(index: &'a Index, counting: Counting) -> Self {
        let Counting {
            saturation,
            length: by_length,
        } = counting;
        let mut worth = Box::new([[0.0; 256]; FIELDS]);
        for (field, row) in worth.iter_mut().enumerate() {
            for (length, worth) in row.iter_mut().enumerate() {
                let relative = length as f32 / USUAL_LENGTHS[field];
                *worth = WEIGHTS[field] / (1.0 - by_length + by_length * relative);
            }
        }
        Self {
            index,
            saturation,
            worth,
        }
    }

    /// Returns the score of each document, by slot.
    pub(crate) fn all(&self, wanted: &[QueryWord<'_>]) -> Vec<f32> {
        let mut scores = vec![0.0; self.index.entries.size()];
        let mut best: Vec<f32> = Vec::new();
        for word in wanted {
            match word.matches.as_slice() {
                [one] => {
                    for posting in one.postings {
                        scores[posting.document as usize] += self.score(one, posting);
                    }
                }
                // Several words may match; the best one counts.
                several => {
                    best.clear();
                    best.resize(scores.len(), 0.0);
                    for one in several {
                        for posting in one.postings {
                            let slot = &mut best[posting.document as usize];
                            *slot = slot.max(self.score(one, posting));
                        }
                    }
                    for (score, best) in scores.iter_mut().zip(&best) {
                        *score += best;
                    }
                }
            }
        }
        scores
    }

    fn score(&self, one: &Match<'_>, posting: &Posting) -> f32 {
        let lengths = self.index.lengths.get(posting.document);
        one.weight * self.frequency(posting.counts, lengths)
    }

    /// Returns the frequency, weighted by field and length, at most the saturation plus 1.
    fn frequency(&self, counts: Counts, lengths: Counts) -> f32 {
        let mut frequency = 0.0;
        for field in 0..FIELDS {
            let worth = self.worth[field][usize::from(lengths[field])];
            frequency += f32::from(counts[field]) * worth;
        }
        frequency * (self.saturation + 1.0) / (frequency + self.saturation)
    }
}

/// Returns the rarity of a word: how much it says that a document has it.
pub(crate) fn rarity(having: usize, documents: usize) -> f32 {
    let (having, documents) = (having as f64, documents as f64);
    let odds = (documents - having + 0.5) / (having + 0.5);
    odds.max(0.0).ln_1p() as f32
}
