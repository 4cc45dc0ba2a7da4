//! The steps of a chain: they leave together, and their references say what comes before what.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use capstan_core::code::{EdgeKind, Evidence, Mode, Node, Passed, Trace};

use super::calls::Calls;
use super::reference::references;
use super::tally::Tally;

/// What each step of a chain takes from steps before it.
#[derive(Debug, Default)]
pub(super) struct Chain {
    /// By the place of the call.
    taken: BTreeMap<usize, Vec<(usize, Passed)>>,
}

/// The steps before one, as references name them.
#[derive(Default)]
struct Earlier<'a> {
    places: Vec<usize>,
    names: HashMap<&'a str, usize>,
}

impl<'a> Earlier<'a> {
    fn push(&mut self, place: usize, name: Option<&'a str>) {
        self.places.push(place);
        if let Some(name) = name {
            self.names.entry(name).or_insert(place);
        }
    }

    /// By its name, else by its number.
    fn find(&self, step: &str) -> Option<usize> {
        let named = self.names.get(step);
        let numbered = || self.places.get(step.parse::<usize>().ok()?);
        named.or_else(numbered).copied()
    }
}

impl Chain {
    /// Nothing where it is none.
    pub(super) fn of(trace: &Trace, calls: &Calls<'_>) -> Self {
        let mut chain = Self::default();
        if trace.mode != Mode::Chain {
            return chain;
        }
        let places = 0..calls.all.len();
        let mut steps: Vec<usize> = places
            .filter(|place| calls.all[*place].within.is_none())
            .collect();
        steps.sort_by_key(|place| calls.all[*place].start);
        let mut batches: HashMap<u32, Earlier<'_>> = HashMap::new();
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

    /// The steps that wait for no other.
    pub(super) fn first<'a>(&self, calls: &'a Calls<'_>) -> BTreeSet<&'a Node> {
        let takes_nothing = |place: &usize| self.taken.get(place).is_some_and(Vec::is_empty);
        let steps = calls.teaching().filter(|(place, ..)| takes_nothing(place));
        steps.map(|(_, _, node)| node).collect()
    }
}

/// A step depends on those that it takes something from, and follows them.
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
            if let Some(giver) = nodes.get(from) {
                used.entry(giver).or_default().push(passed.clone());
            }
        }
        for (giver, passed) in used {
            tally.add(giver, node, EdgeKind::Sequence, Evidence::Followed);
            tally.passed(node, giver, calls.all[*place].moment(), passed);
        }
    }
}
