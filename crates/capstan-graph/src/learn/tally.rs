//! Observations as they are made: counted, and merged into one for each two nodes and kind.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use capstan_core::code::{EdgeKind, EdgeSource, Evidence, Node, Observation, Passed};

/// So many places are named of what was passed on.
const MOST_PASSED: usize = 8;

#[derive(Debug, Default)]
pub(super) struct Tally {
    seen: BTreeMap<(Node, Node, usize), Seen>,
}

#[derive(Debug)]
struct Seen {
    times: u64,
    evidence: Evidence,
    /// With the moment when it was used.
    passed: Vec<((u64, u32), Passed)>,
}

impl Tally {
    pub(super) fn add(&mut self, from: &Node, to: &Node, kind: EdgeKind, evidence: Evidence) {
        if let Some(seen) = self.count(from, to, kind, &evidence)
            && evidence == Evidence::Followed
        {
            // In one execution is surer than in one session.
            seen.evidence = evidence;
        }
    }

    /// At some moment one used what the other gave.
    pub(super) fn passed(
        &mut self,
        consumer: &Node,
        giver: &Node,
        moment: (u64, u32),
        passed: Vec<Passed>,
    ) {
        let none = Evidence::PassedOn(Vec::new());
        if let Some(seen) = self.count(consumer, giver, EdgeKind::Dependency, &none) {
            seen.passed
                .extend(passed.into_iter().map(|it| (moment, it)));
            if seen.passed.len() > 64 * MOST_PASSED {
                seen.first_passed();
            }
        }
    }

    /// In the order of the ends; if there are too many, the surest.
    pub(super) fn observations(self, most: usize) -> Vec<Observation> {
        let mut all: Vec<_> = self.seen.into_iter().collect();
        if all.len() > most {
            all.sort_by_key(|((_, _, kind), seen)| {
                let confidence = confidence(EdgeKind::ALL[*kind]);
                (Reverse(confidence), Reverse(seen.times))
            });
            all.truncate(most);
            all.sort_by(|(one, _), (two, _)| one.cmp(two));
        }
        all.into_iter()
            .map(|((from, to, kind), mut seen)| Observation {
                from,
                to,
                kind: EdgeKind::ALL[kind],
                times: seen.times,
                evidence: match seen.evidence {
                    Evidence::PassedOn(_) => Evidence::PassedOn(seen.first_passed()),
                    other => other,
                },
            })
            .collect()
    }

    /// Nothing is related to itself.
    fn count(
        &mut self,
        from: &Node,
        to: &Node,
        kind: EdgeKind,
        evidence: &Evidence,
    ) -> Option<&mut Seen> {
        if from == to {
            return None;
        }
        let number = EdgeKind::ALL.iter().position(|it| *it == kind)?;
        let key = (from.clone(), to.clone(), number);
        let seen = self.seen.entry(key).or_insert_with(|| Seen {
            times: 0,
            evidence: evidence.clone(),
            passed: Vec::new(),
        });
        seen.times += 1;
        Some(seen)
    }
}

impl Seen {
    /// The places of what was passed on first; others are forgotten.
    fn first_passed(&mut self) -> Vec<Passed> {
        self.passed.sort();
        let mut first: Vec<((u64, u32), Passed)> = Vec::new();
        for (moment, passed) in self.passed.drain(..) {
            if first.len() < MOST_PASSED && first.iter().all(|(_, it)| *it != passed) {
                first.push((moment, passed));
            }
        }
        self.passed = first;
        self.passed
            .iter()
            .map(|(_, passed)| passed.clone())
            .collect()
    }
}

/// Of a relation that was observed, in thousandths.
fn confidence(kind: EdgeKind) -> u32 {
    (kind.confidence(EdgeSource::Observed) * 1000.0) as u32
}
