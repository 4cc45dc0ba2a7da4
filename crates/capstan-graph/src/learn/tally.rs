//! Counts observations, and merges them into one per pair of nodes and kind.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use capstan_core::code::{EdgeKind, EdgeSource, Evidence, Node, Observation, Passed};

/// How many places of passed values are named.
const MAX_PASSED: usize = 8;

#[derive(Debug, Default)]
pub(super) struct Tally {
    seen: BTreeMap<(Node, Node, usize), Tallied>,
}

#[derive(Debug)]
struct Tallied {
    times: u64,
    evidence: Evidence,
    /// The passed values, with the moment of their use.
    passed: Vec<((u64, u32), Passed)>,
}

impl Tally {
    pub(super) fn add(&mut self, from: &Node, to: &Node, kind: EdgeKind, evidence: Evidence) {
        if let Some(seen) = self.count(from, to, kind, &evidence)
            && evidence == Evidence::Followed
        {
            // A sequence in one execution is more certain than one in a session.
            seen.evidence = evidence;
        }
    }

    /// Records that one node used values of another.
    pub(super) fn passed(
        &mut self,
        consumer: &Node,
        producer: &Node,
        moment: (u64, u32),
        passed: Vec<Passed>,
    ) {
        let none = Evidence::PassedOn(Vec::new());
        if let Some(seen) = self.count(consumer, producer, EdgeKind::Dependency, &none) {
            seen.passed
                .extend(passed.into_iter().map(|it| (moment, it)));
            if seen.passed.len() > 64 * MAX_PASSED {
                seen.first_passed();
            }
        }
    }

    /// Returns the observations in the order of their ends. If there are too many, the most certain
    /// remain.
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

    /// Counts an observation. A node has no relation to itself.
    fn count(
        &mut self,
        from: &Node,
        to: &Node,
        kind: EdgeKind,
        evidence: &Evidence,
    ) -> Option<&mut Tallied> {
        if from == to {
            return None;
        }
        let number = EdgeKind::ALL.iter().position(|it| *it == kind)?;
        let key = (from.clone(), to.clone(), number);
        let seen = self.seen.entry(key).or_insert_with(|| Tallied {
            times: 0,
            evidence: evidence.clone(),
            passed: Vec::new(),
        });
        seen.times += 1;
        Some(seen)
    }
}

impl Tallied {
    /// Returns the places of the values that were passed first, and drops the others.
    fn first_passed(&mut self) -> Vec<Passed> {
        self.passed.sort();
        let mut first: Vec<((u64, u32), Passed)> = Vec::new();
        for (moment, passed) in self.passed.drain(..) {
            if first.len() < MAX_PASSED && first.iter().all(|(_, it)| *it != passed) {
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

/// Returns the confidence of an observed relation, in thousandths.
fn confidence(kind: EdgeKind) -> u32 {
    (kind.confidence(EdgeSource::Observed) * 1000.0) as u32
}
