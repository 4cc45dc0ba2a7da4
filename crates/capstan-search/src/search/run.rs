//! From a query to what is found.

use std::collections::BTreeSet;

use super::confidence::{SAID, confidence};
use super::exact::{Named, named};
use super::found::{Correction, Found, Why};
use super::fusion::{Nearness, cosine, worth_of_words};
use super::query::{Filter, Method, Query};
use super::top::{Candidate, Top};
use super::wanted::{Wanted, wanted};
use super::words::Bm25;
use crate::text::{clauses, stem, telling_words, words};
use crate::vector::Direction;
use crate::{Index, VectorError};

/// So many of the best by words and the whole query are looked at by its parts.
const LOOKED_AT: usize = 256;

impl Index {
    /// What an embedder is to be given for a query: the query without the words that tell nothing, and, if
    /// it asks for several things, each of them.
    pub fn parts(&self, text: &str) -> Vec<String> {
        clauses(text)
    }

    /// The best documents for a query among those that `is_wanted` lets through, by their keys and
    /// [labels](Self::label).
    pub fn search(
        &self,
        query: &Query<'_>,
        is_wanted: &Filter<'_>,
    ) -> Result<Vec<Found>, VectorError> {
        for vector in query.vectors {
            self.vectors.check(vector)?;
        }
        if query.limit == 0 {
            return Ok(Vec::new());
        }
        Ok(Run::new(self, query, is_wanted).found())
    }
}

struct Run<'a> {
    index: &'a Index,
    query: &'a Query<'a>,
    is_wanted: &'a Filter<'a>,
    wanted: Vec<Wanted<'a>>,
    /// What the query says, in one form.
    said: BTreeSet<String>,
    /// The BM25 of each document; 0 if words do not count.
    words: Vec<f32>,
    /// What a unit of it is worth.
    worth: f32,
    vectors: Vec<Direction>,
    /// To the whole query, of each document; 0 if meaning does not count.
    cosines: Vec<f32>,
    nearness: Option<Nearness>,
}

/// A document, weighed.
struct Weighed<'a> {
    named: Option<Named>,
    key: &'a str,
    document: u32,
    words: f32,
    cosine: f32,
    total: f32,
}

impl<'a> Run<'a> {
    fn new(index: &'a Index, query: &'a Query<'a>, is_wanted: &'a Filter<'a>) -> Self {
        let by_words = query.method != Method::Meaning;
        let by_meaning = query.method != Method::Words;
        let wanted = wanted(index, query.text);
        let words = match by_words {
            true => Bm25::new(index).all(&wanted),
            false => vec![0.0; index.entries.size()],
        };
        let vectors: Vec<_> = match by_meaning {
            true => query.vectors.iter().map(|it| Direction::new(it)).collect(),
            false => Vec::new(),
        };
        let cosines = vectors.first().map(|whole| index.vectors.cosines(whole));
        let nearness = cosines
            .as_deref()
            .map(|all| Nearness::of(index.vectors.of_any(all)));
        let mut run = Self {
            index,
            query,
            is_wanted,
            wanted,
            said: telling_words(query.text).map(|word| stem(&word)).collect(),
            words,
            worth: 0.0,
            vectors,
            cosines: cosines.unwrap_or_else(|| vec![0.0; index.entries.size()]),
            nearness,
        };
        run.worth = run.worth_of_words();
        run
    }

    fn found(&self) -> Vec<Found> {
        let mut all = self.best();
        let named = named(self.index, self.query.text);
        for (document, named) in named {
            if let Some(known) = all.iter_mut().find(|it| it.document == document) {
                known.named = Some(named);
            } else if let Some(key) = self.wanted_key(document) {
                all.push(self.weigh(document, key, Some(named)));
            }
        }
        all.sort_unstable_by(|one, two| {
            let rank = |it: &Weighed<'_>| (it.named.is_none(), it.named);
            let order = rank(one).cmp(&rank(two));
            let order = order.then_with(|| two.total.total_cmp(&one.total));
            order.then_with(|| one.key.cmp(two.key))
        });
        all.truncate(self.query.limit);
        let mut least = 1.0_f32;
        let found = all.into_iter().map(|weighed| {
            let found = self.tell(&weighed, least);
            least = found.score;
            found
        });
        found.collect()
    }

    /// The best by words and meaning.
    fn best(&self) -> Vec<Weighed<'a>> {
        let most = self.query.limit.saturating_mul(2).max(LOOKED_AT);
        let mut top = Top::new(most.min(self.index.len()));
        let all = self.words.iter().zip(&self.cosines).zip(0..);
        let mut least = 0.0;
        for ((words, cosine), document) in all {
            let score = self.total(*words, *cosine);
            if score < least || score <= 0.0 {
                continue;
            }
            if let Some(key) = self.key(document) {
                let label = self.index.label_of(document);
                let candidate = Candidate {
                    score,
                    key,
                    document,
                };
                top.offer(candidate, || (self.is_wanted)(key, label));
                least = top.least();
            }
        }
        top.into_kept()
            .map(|it| self.weigh(it.document, it.key, None))
            .collect()
    }

    fn weigh(&self, document: u32, key: &'a str, named: Option<Named>) -> Weighed<'a> {
        let words = self.words_of(document);
        let parts = self.vectors.iter().skip(1);
        let parts = parts.map(|part| self.index.vectors.cosine(document, part));
        let cosine = cosine(self.whole(document), parts);
        Weighed {
            named,
            key,
            document,
            words,
            cosine,
            total: self.total(words, cosine),
        }
    }

    fn tell(&self, weighed: &Weighed<'_>, most: f32) -> Found {
        let cosine = self.nearness.map(|it| it.of_its_own(weighed.cosine));
        let score = match weighed.named {
            Some(_) => 1.0,
            None => {
                let least = if self.says_id(weighed.key) { SAID } else { 0.0 };
                confidence(weighed.words, cosine, self.index.len()).max(least)
            }
        };
        let mut why = Why {
            exact: weighed.named.map(|it| it.by),
            cosine: weighed.cosine,
            by_words: self.worth * weighed.words,
            by_meaning: self.meaning(weighed.cosine),
            ..Why::default()
        };
        for word in &self.wanted {
            let held = word.matches.iter().find(|it| {
                let postings = it.postings;
                let at = postings.binary_search_by_key(&weighed.document, |it| it.document);
                at.is_ok()
            });
            match held.map(|it| it.instead) {
                Some(None) => why.words.push(word.text.to_owned()),
                Some(Some(to)) => why.corrected.push(Correction {
                    from: word.text.to_owned(),
                    to: to.to_owned(),
                }),
                None => {}
            }
        }
        Found {
            key: weighed.key.to_owned(),
            score: score.min(most),
            why,
        }
    }

    /// Whether the query says just what an id does: `create an issue` says `issue.create`.
    fn says_id(&self, key: &str) -> bool {
        let id: BTreeSet<_> = words(key).map(|word| stem(&word.to_lowercase())).collect();
        id.len() > 1 && id == self.said
    }

    fn worth_of_words(&self) -> f32 {
        let mut best = 0.0_f32;
        for (words, document) in self.words.iter().zip(0..) {
            if *words > best && self.wanted_key(document).is_some() {
                best = *words;
            }
        }
        let known = self.wanted.iter().map(|word| {
            let weights = word.matches.iter().map(|it| it.weight);
            weights.fold(0.0, f32::max)
        });
        worth_of_words(best, known.sum())
    }

    /// What documents are ranked by.
    fn total(&self, words: f32, cosine: f32) -> f32 {
        match self.query.method {
            Method::Meaning => cosine,
            Method::Words | Method::Hybrid => self.worth * words + self.meaning(cosine),
        }
    }

    fn meaning(&self, cosine: f32) -> f32 {
        self.nearness.map_or(0.0, |it| it.worth(cosine))
    }

    fn words_of(&self, document: u32) -> f32 {
        self.words.get(document as usize).copied().unwrap_or(0.0)
    }

    fn whole(&self, document: u32) -> f32 {
        self.cosines.get(document as usize).copied().unwrap_or(0.0)
    }

    fn wanted_key(&self, document: u32) -> Option<&'a str> {
        let label = self.index.label_of(document);
        let key = self.key(document)?;
        (self.is_wanted)(key, label).then_some(key)
    }

    fn key(&self, document: u32) -> Option<&'a str> {
        self.index.entries.get(document).map(|it| &*it.key)
    }
}
