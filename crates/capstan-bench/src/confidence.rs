//! Whether scores tell that nothing fits.

use capstan_search::{FITS, Index};

use crate::corpus::{Corpus, Part, Source};
use crate::evaluate::Asked;
use crate::{BenchError, Embed};

/// What comes first, by its score. Queries of other sources are those that nothing fits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Confidence {
    /// From this score on it is taken to fit.
    pub threshold: f32,
    /// The share of what is taken to fit that is relevant, with as many foreign queries as there were.
    pub precision: f64,
    /// The share of what is relevant, and comes first, that is taken to fit.
    pub recall: f64,
    /// The share of foreign queries for which something is taken to fit.
    pub false_alarms: f64,
    pub own: usize,
    pub foreign: usize,
}

/// Sources whose queries may well be answered by each other.
const RELATED: [&[&str]; 2] = [
    &["capstan", "gh", "github-mcp", "tldr"],
    &["metatool", "metatool-multi"],
];

/// So many queries of a source are asked, evenly chosen.
const OWN: usize = 400;
const FOREIGN: usize = 80;

#[derive(Default)]
pub(crate) struct Tally {
    own: usize,
    foreign: usize,
    relevant: usize,
    taken: usize,
    right: usize,
    false_alarms: usize,
}

impl Tally {
    /// Asks some of a source's queries, and some of those of others.
    pub(crate) fn add(
        &mut self,
        corpus: &Corpus,
        source: &Source,
        index: &Index,
        embed: &dyn Embed,
        part: Part,
    ) -> Result<(), BenchError> {
        for query in some(source, part, OWN) {
            let first = Asked::new(index, embed, &query.text).first()?;
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
                let first = Asked::new(index, embed, &query.text).first()?;
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
