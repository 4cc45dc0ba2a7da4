//! Measures whether a score shows that no document fits.

use capstan_search::{FITS, Index};

use crate::corpus::{Corpus, Part, Source};
use crate::evaluate::EmbeddedQuery;
use crate::{BenchError, Embed};

/// How well a score threshold separates fitting results from others. Queries of other sources ("foreign queries")
/// have no fitting document.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Confidence {
    /// The score from which a result is accepted.
    pub threshold: f32,
    /// The share of the accepted results that are relevant, with the foreign queries included.
    pub precision: f64,
    /// The share of the relevant first results that are accepted.
    pub recall: f64,
    /// The share of the foreign queries for which a result is accepted.
    pub false_alarms: f64,
    pub own: usize,
    pub foreign: usize,
}

/// Pairs of sources that may have documents for each other's queries.
const RELATED: [&[&str]; 2] = [
    &["capstan", "gh", "github-mcp", "tldr"],
    &["metatool", "metatool-multi"],
];

/// The maximum number of queries per source, chosen at even intervals.
const OWN: usize = 400;
const FOREIGN: usize = 80;

#[derive(Default)]
pub(crate) struct ConfidenceCounts {
    own: usize,
    foreign: usize,
    relevant: usize,
    taken: usize,
    right: usize,
    false_alarms: usize,
}

impl ConfidenceCounts {
    /// Runs some of a source's queries, and some queries of other sources.
    pub(crate) fn add(
        &mut self,
        corpus: &Corpus,
        source: &Source,
        index: &Index,
        embed: &dyn Embed,
        part: Part,
    ) -> Result<(), BenchError> {
        for query in some(source, part, OWN) {
            let first = EmbeddedQuery::new(index, embed, &query.text).first()?;
            self.own += 1;
            let Some(first) = first else {
                continue;
            };
            let is_right = query.relevant.contains(&first.key);
            let is_taken = first.score >= FITS;
            self.relevant += usize::from(is_right);
            self.taken += usize::from(is_taken);
            self.right += usize::from(is_right && is_taken);
        }
        for other in &corpus.sources {
            if is_related(&source.name, &other.name) {
                continue;
            }
            for query in some(other, part, FOREIGN) {
                let first = EmbeddedQuery::new(index, embed, &query.text).first()?;
                self.foreign += 1;
                let is_taken = first.is_some_and(|it| it.score >= FITS);
                self.false_alarms += usize::from(is_taken);
            }
        }
        Ok(())
    }

    pub(crate) fn confidence(&self) -> Confidence {
        let share = |some: usize, of: usize| some as f64 / of.max(1) as f64;
        Confidence {
            threshold: FITS,
            precision: share(self.right, self.taken + self.false_alarms),
            recall: share(self.right, self.relevant),
            false_alarms: share(self.false_alarms, self.foreign),
            own: self.own,
            foreign: self.foreign,
        }
    }
}

fn is_related(one: &str, two: &str) -> bool {
    let both = |group: &&[&str]| group.contains(&one) && group.contains(&two);
    one == two || RELATED.iter().any(both)
}

fn some(source: &Source, part: Part, most: usize) -> impl Iterator<Item = &crate::Query> {
    let all: Vec<_> = source
        .queries
        .iter()
        .filter(|it| part.has(it.part))
        .collect();
    let step = all.len().div_ceil(most).max(1);
    all.into_iter().step_by(step)
}
