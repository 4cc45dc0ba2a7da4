//! Learns from the steps of a chain: they are sent together, and their references define the order.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use capstan_core::code::{EdgeKind, Evidence, Mode, Node, Passed, Trace};

use super::calls::Calls;
use super::reference::references;
use super::tally::Tally;

/// The values that each step of a chain takes from earlier steps.
#[derive(Debug, Default)]
pub(super) struct Chain {
    /// By the index of the call.
    taken: BTreeMap<usize, Vec<(usize, Passed)>>,
}

/// The steps before a step, as references name them.
#[derive(Default)]
struct EarlierSteps<'a> {
    places: Vec<usize>,
    names: HashMap<&'a str, usize>,
}

impl<'a> EarlierSteps<'a> {
    fn push(&mut self, place: usize, name: Option<&'a str>) {
        self.places.push(place);
        if let Some(name) = name {
            self.names.entry(name).or_insert(place);
        }
    }

    /// Finds a step by its name, or else by its number.
    fn find(&self, step: &str) -> Option<usize> {
        let named = self.names.get(step);
        let numbered = || self.places.get(step.parse::<usize>().ok()?);
        named.or_else(numbered).copied()
    }
}

impl Chain {
    /// Reads the references of a chain. The result is empty if the trace is not a chain.
    pub(super) fn from_trace(trace: &Trace, calls: &Calls<'_>) -> Self {
        let mut chain = Self::default();
        if trace.mode != Mode::Chain {
            return chain;
        }
        let places = 0..calls.all.len();
        let mut steps: Vec<usize> = places
            .filter(|place| calls.all[*place].within.is_none())
            .collect();
        steps.sort_by_key(|place| calls.all[*place].start);
        let mut batches: HashMap<u32, EarlierSteps<'_>> = HashMap::new();
        for place in steps {
            let call = &calls.all[place];
            let earlier = batches.entry(call.batch).or_default();
            let references = call.input.map(references).unwrap_or_default();
            let taken = references.into_iter().filter_map(|reference| {
                let from = earlier.find(reference.step)?;
                let passed = Passed {
                    output: reference.output,
                    input: reference.input,
                };
                Some((from, passed))
            });
            chain.taken.insert(place, taken.collect());
            earlier.push(place, call.step);
        }
        chain
    }

    /// Returns the steps that wait for no other.
    pub(super) fn first<'a>(&self, calls: &'a Calls<'_>) -> BTreeSet<&'a Node> {
        let takes_nothing = |place: &usize| self.taken.get(place).is_some_and(Vec::is_empty);
        let steps = calls.teaching().filter(|(place, ..)| takes_nothing(place));
        steps.map(|(_, _, node)| node).collect()
    }
}

/// Records that a step depends on the steps from which it takes values, and follows them.
pub(super) fn observe(calls: &Calls<'_>, chain: &Chain, tally: &mut Tally) {
    let nodes: BTreeMap<usize, &Node> = calls
        .teaching()
        .map(|(place, _, node)| (place, node))
        .collect();
    for (place, taken) in &chain.taken {
        let Some(node) = nodes.get(place) else {
            continue;
        };
        let mut used: BTreeMap<&Node, Vec<Passed>> = BTreeMap::new();
        for (from, passed) in taken {
            if let Some(producer) = nodes.get(from) {
                used.entry(producer).or_default().push(passed.clone());
            }
        }
        for (producer, passed) in used {
            tally.add(producer, node, EdgeKind::Sequence, Evidence::Followed);
            tally.passed(node, producer, calls.all[*place].moment(), passed);
        }
    }
}
