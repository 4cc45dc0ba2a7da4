//! Everything that a trace teaches.

use std::collections::BTreeSet;

use capstan_core::code::{Mode, Node, Observation, Trace};

use super::calls::Calls;
use super::chained::{self, Chain};
use super::contained;
use super::followed;
use super::makers::Makers;
use super::passed;
use super::tally::Tally;

/// More is not learned from one trace: what is surest comes first, then what was seen most often.
pub const MOST_OBSERVATIONS: usize = 2_000;

/// What a trace says about capabilities: the same for the same trace, in the order of the ends, and at most
/// [`MOST_OBSERVATIONS`]. `is_node` says of an id that is not that of code whether it counts: Capstan's own
/// actions do not. `makers` are the code and skills that made the calls.
pub fn learn(trace: &Trace, is_node: impl Fn(&str) -> bool, makers: &Makers) -> Vec<Observation> {
    if trace.mode == Mode::Suggestion {
        return Vec::new();
    }
    let calls = Calls::of(trace, &is_node);
    let chain = Chain::of(trace, &calls);
    let mut tally = Tally::default();
    contained::observe(&calls, &mut tally);
    followed::observe(&calls, &mut tally);
    passed::observe(&calls, makers, &mut tally);
    chained::observe(&calls, &chain, &mut tally);
    let follows = trace.follows.as_ref().filter(|node| match node {
        Node::Code(_) => true,
        Node::Named(id) => is_node(id),
    });
    if let Some(before) = follows {
        let first: BTreeSet<&Node> = match trace.mode {
            Mode::Chain => chain.first(&calls),
            Mode::Direct => calls.whole.iter().collect(),
            Mode::Single | Mode::ByName | Mode::Skill => calls.top().into_iter().collect(),
            Mode::Suggestion => BTreeSet::new(),
        };
        followed::in_session(before, &first, &mut tally);
    }
    tally.observations(MOST_OBSERVATIONS)
}
