//! Runs a query.

use std::collections::BTreeSet;

use super::confidence::{ID_WORDS_CONFIDENCE, confidence};
use super::exact::{NameMatch, named};
use super::fusion::{Nearness, Scale, Signals, cosine};
use super::hit::{Correction, SearchHit, Why};
use super::query::{Filter, Method, Query};
use super::query_words::{QueryWord, query_words};
use super::top::{Candidate, Top};
use super::words::{Bm25, Counting, rarity};
use crate::text::{clauses, meaningful_words, stem, without_unknown, words};
use crate::vector::Direction;
use crate::{Index, VectorError};

/// How many of the best documents by words and the whole query are compared with the query's parts.
const RESCORED: usize = 256;

impl Index {
    /// Returns the texts of a query to embed: the query without stop words and, if it asks for
    /// several things, each of them. Names and numbers that no document has are left out: they say
    /// with what something is done, not what is done.
    pub fn parts(&self, text: &str) -> Vec<String> {
        let is_known = |word: &str| self.vocabulary.postings(&word.to_lowercase()).is_some();
        clauses(&without_unknown(text, is_known))
    }

    /// Returns the best documents for a query that `is_wanted` accepts, by their keys and
    /// [labels](Self::set_label).
    pub fn search(
        &self,
        query: &Query<'_>,
        is_wanted: &Filter<'_>,
    ) -> Result<Vec<SearchHit>, VectorError> {
        for vector in query.vectors {
            self.vectors.check(vector)?;
        }
        if query.limit == 0 {
            return Ok(Vec::new());
        }
        Ok(SearchRun::new(self, query, is_wanted).hits())
    }
}

struct SearchRun<'a> {
    index: &'a Index,
    query: &'a Query<'a>,
    is_wanted: &'a Filter<'a>,
    wanted: Vec<QueryWord<'a>>,
    /// The stems of the query's words.
    query_stems: BTreeSet<String>,
    /// The BM25 of each document; 0 if words do not count.
    words: Vec<f32>,
    /// The stems of the query that the index has, sorted.
    query_terms: Vec<u32>,
    scale: Scale,
    vectors: Vec<Direction>,
    /// The cosine of each document to the whole query; 0 if meaning does not count.
    cosines: Vec<f32>,
    nearness: Option<Nearness>,
}

/// A document with its scores.
struct ScoredDocument<'a> {
    named: Option<NameMatch>,
    key: &'a str,
    document: u32,
    words: f32,
    cosine: f32,
    signals: Signals,
    score: f32,
}

impl<'a> SearchRun<'a> {
    fn new(index: &'a Index, query: &'a Query<'a>, is_wanted: &'a Filter<'a>) -> Self {
        let by_words = query.method != Method::Meaning;
        let by_meaning = query.method != Method::Words;
        let wanted = query_words(index, query.text);
        let counting = if by_meaning && !query.vectors.is_empty() {
            Counting::BESIDE_MEANING
        } else {
            Counting::ALONE
        };
        let words = if by_words {
            Bm25::new(index, counting).all(&wanted)
        } else {
            vec![0.0; index.entries.size()]
        };
        let vectors: Vec<_> = if by_meaning {
            query.vectors.iter().map(|it| Direction::new(it)).collect()
        } else {
            Vec::new()
        };
        let cosines = vectors.first().map(|whole| index.vectors.cosines(whole));
        let nearness = cosines
            .as_deref()
            .map(|all| Nearness::from_cosines(index.vectors.with_vector(all)));
        let known = wanted.iter().map(|word| {
            let weights = word.matches.iter().map(|it| it.weight);
            weights.fold(0.0, f32::max)
        });
        let scale = Scale::new(index.len(), known.sum());
        let matches = wanted.iter().flat_map(|word| &word.matches);
        let mut query_terms: Vec<u32> = matches.map(|it| it.term).collect();
        query_terms.sort_unstable();
        Self {
            index,
            query,
            is_wanted,
            wanted,
            query_stems: meaningful_words(query.text)
                .map(|word| stem(&word))
                .collect(),
            words,
            query_terms,
            scale,
            vectors,
            cosines: cosines.unwrap_or_else(|| vec![0.0; index.entries.size()]),
            nearness,
        }
    }

    fn hits(&self) -> Vec<SearchHit> {
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
            let rank = |it: &ScoredDocument<'_>| (it.named.is_none(), it.named);
            let order = rank(one).cmp(&rank(two));
            let order = order.then_with(|| two.score.total_cmp(&one.score));
            order.then_with(|| one.key.cmp(two.key))
        });
        all.truncate(self.query.limit);
        let mut least = 1.0_f32;
        let found = all.into_iter().map(|weighed| {
            let found = self.to_hit(&weighed, least);
            least = found.score;
            found
        });
        found.collect()
    }

    /// Returns the best documents by words and meaning.
    fn best(&self) -> Vec<ScoredDocument<'a>> {
        let most = self.query.limit.saturating_mul(2).max(RESCORED);
        let mut top = Top::new(most.min(self.index.len()));
        let all = self.words.iter().zip(&self.cosines).zip(0..);
        let mut least = 0.0;
        for ((words, cosine), document) in all {
            let score = self.score(*words, *cosine, self.signals(*words, *cosine, 0.0));
            if score <= 0.0 {
                continue;
            }
            let score = score + self.prior(document);
            if score < least {
                continue;
            }
            if let Some(key) = self.key(document) {
                let label = self.index.label(document);
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

    fn weigh(&self, document: u32, key: &'a str, named: Option<NameMatch>) -> ScoredDocument<'a> {
        let words = self.words_of(document);
        let parts = self.vectors.iter().skip(1);
        let parts = parts.map(|part| self.index.vectors.cosine(document, part));
        let cosine = cosine(self.whole(document), parts);
        let signals = self.signals(words, cosine, self.unsaid_name(document));
        ScoredDocument {
            named,
            key,
            document,
            words,
            cosine,
            signals,
            score: self.score(words, cosine, signals) + self.prior(document),
        }
    }

    fn to_hit(&self, weighed: &ScoredDocument<'_>, most: f32) -> SearchHit {
        let cosine = self.nearness.map(|it| it.without_common(weighed.cosine));
        let score = match weighed.named {
            Some(_) => 1.0,
            None => {
                let least = if self.says_id(weighed.key) {
                    ID_WORDS_CONFIDENCE
                } else {
                    0.0
                };
                confidence(weighed.words, cosine, self.index.len()).max(least)
            }
        };
        let mut why = Why {
            exact: weighed.named.map(|it| it.by),
            cosine: weighed.cosine,
            signals: weighed.signals,
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
        SearchHit {
            key: weighed.key.to_owned(),
            score: score.min(most),
            rank: if weighed.named.is_some() {
                f32::INFINITY
            } else {
                weighed.score
            },
            why,
        }
    }

    /// Returns whether the query has exactly the words of an id: `create an issue` has those of
    /// `issue.create`.
    fn says_id(&self, key: &str) -> bool {
        let id: BTreeSet<_> = words(key).map(|word| stem(&word.to_lowercase())).collect();
        id.len() > 1 && id == self.query_stems
    }

    /// Returns the summed rarity of the words in a document's name that the query lacks; for
    /// several names, the mean.
    fn unsaid_name(&self, document: u32) -> f32 {
        let Some(entry) = self.index.entries.get(document) else {
            return 0.0;
        };
        let in_name = entry.words.iter().filter(|usage| usage.counts[0] > 0);
        let rarities = in_name.filter_map(|usage| {
            let (term, having) = self.index.vocabulary.stem_of(usage.word)?;
            let is_said = self.query_terms.binary_search(&term).is_ok();
            (!is_said).then(|| rarity(having, self.index.len()))
        });
        rarities.sum::<f32>() / (1 + entry.names.len()) as f32
    }

    fn signals(&self, words: f32, cosine: f32, unsaid: f32) -> Signals {
        let deviations = self.nearness.map_or(0.0, |it| it.deviations(cosine));
        self.scale.signals(words, deviations, unsaid)
    }

    /// Returns the score by which documents are ranked. Without vectors to compare, only words
    /// count.
    fn score(&self, words: f32, cosine: f32, signals: Signals) -> f32 {
        match (self.query.method, self.nearness) {
            (Method::Meaning, _) => cosine,
            (Method::Words, _) | (Method::Hybrid, None) => words,
            (Method::Hybrid, Some(_)) => signals.score(),
        }
    }

    fn prior(&self, document: u32) -> f32 {
        let label = self.index.label(document);
        let priors = self.query.priors.iter();
        let priors = priors.filter(|prior| label & prior.mask == prior.bits);
        priors.map(|prior| prior.score).sum()
    }

    fn words_of(&self, document: u32) -> f32 {
        self.words.get(document as usize).copied().unwrap_or(0.0)
    }

    fn whole(&self, document: u32) -> f32 {
        self.cosines.get(document as usize).copied().unwrap_or(0.0)
    }

    fn wanted_key(&self, document: u32) -> Option<&'a str> {
        let label = self.index.label(document);
        let key = self.key(document)?;
        (self.is_wanted)(key, label).then_some(key)
    }

    fn key(&self, document: u32) -> Option<&'a str> {
        self.index.entries.get(document).map(|it| &*it.key)
    }
}
