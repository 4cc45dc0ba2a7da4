//! BM25 over the places of documents: how much a document's words say that it is meant.

use super::wanted::{Match, Wanted};
use crate::Index;
use crate::index::{Counts, FIELDS, Posting};

/// Id and names, description, intents, parameters.
const WEIGHTS: [f32; FIELDS] = [1.5, 1.0, 1.5, 0.2];

/// How occurrences of a word are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counting {
    /// How soon a further occurrence stops to count: soon if it is small. A document that says a word in its name, its
    /// description and its parameters must not outweigh one that has only a description and says it there.
    saturation: f32,
    /// How much less an occurrence counts in a longer place, from 0 to 1.
    length: f32,
}

impl Counting {
    /// For words alone.
    pub(crate) const ALONE: Self = Self {
        saturation: 1.2,
        length: 0.5,
    };

    /// For words beside meaning, which tells what a document is mostly about: what is left to words is whether it has
    /// them at all.
    pub(crate) const BESIDE_MEANING: Self = Self {
        saturation: 0.5,
        length: 0.4,
    };
}

/// How many words a place usually has. Not the mean of the catalogue: in one of thin and rich descriptions the thin
/// ones would be measured by the rich ones, and a document would change its rank when unlike others are added.
const USUAL_LENGTHS: [f32; FIELDS] = [3.0, 10.0, 20.0, 20.0];

/// Words and documents, weighed.
#[derive(Debug)]
pub(crate) struct Bm25<'a> {
    index: &'a Index,
    saturation: f32,
    /// What an occurrence counts, by place and its length.
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

    /// Of each document, in their places.
    pub(crate) fn all(&self, wanted: &[Wanted<'_>]) -> Vec<f32> {
        let mut scores = vec![0.0; self.index.entries.size()];
        let mut best: Vec<f32> = Vec::new();
        for word in wanted {
            match word.matches.as_slice() {
                [one] => {
                    for posting in one.postings {
                        scores[posting.document as usize] += self.of(one, posting);
                    }
                }
                // The best of several words that may be meant.
                several => {
                    best.clear();
                    best.resize(scores.len(), 0.0);
                    for one in several {
                        for posting in one.postings {
                            let slot = &mut best[posting.document as usize];
                            *slot = slot.max(self.of(one, posting));
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

    fn of(&self, one: &Match<'_>, posting: &Posting) -> f32 {
        let lengths = self.index.lengths.of(posting.document);
        one.weight * self.often(posting.counts, lengths)
    }

    /// How often, weighted by place and length, up to the saturation plus 1.
    fn often(&self, counts: Counts, lengths: Counts) -> f32 {
        let mut often = 0.0;
        for field in 0..FIELDS {
            let worth = self.worth[field][usize::from(lengths[field])];
            often += f32::from(counts[field]) * worth;
        }
        often * (self.saturation + 1.0) / (often + self.saturation)
    }
}

/// How much it tells that a document has a word.
pub(crate) fn rarity(having: usize, documents: usize) -> f32 {
    let (having, documents) = (having as f64, documents as f64);
    let odds = (documents - having + 0.5) / (having + 0.5);
    odds.max(0.0).ln_1p() as f32
}
