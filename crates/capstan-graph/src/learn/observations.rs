//! Collects everything that a trace teaches.

use std::collections::BTreeSet;

use capstan_core::code::{Mode, Node, Observation, Trace};

use super::calls::Calls;
use super::chained::{self, Chain};
use super::contained;
use super::followed;
use super::makers::Makers;
use super::passed;
use super::tally::Tally;

/// How many observations a trace teaches. The most certain come first, then the most frequent.
pub const MAX_OBSERVATIONS: usize = 2_000;

/// Returns whether [`learn`] can find anything in a trace. A single call by itself shows no relation: it is the most
/// frequent trace, and need not be read again to learn nothing from it.
pub fn may_teach(trace: &Trace) -> bool {
    let only = match (trace.mode, trace.calls.as_slice()) {
        (Mode::Suggestion, _) => return false,
        (Mode::Single, []) => None,
        (Mode::Single, [call]) if call.code.is_none() => Some(call.capability.as_str()),
        _ => return true,
    };
    match (&trace.follows, only) {
        (Some(Node::Named(before)), Some(only)) => before != only,
        (Some(_), _) => true,
        (None, _) => false,
    }
}

/// Returns what a trace says about capabilities, at most [`MAX_OBSERVATIONS`], in the order of
/// their ends. The result depends only on the trace. `is_node` returns whether an id that is not
/// code counts: Capstan's own actions do not. `makers` are the code and skills that made the calls.
pub fn learn(trace: &Trace, is_node: impl Fn(&str) -> bool, makers: &Makers) -> Vec<Observation> {
    if trace.mode == Mode::Suggestion {
        return Vec::new();
    }
    let calls = Calls::from_trace(trace, &is_node);
    let chain = Chain::from_trace(trace, &calls);
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
    tally.observations(MAX_OBSERVATIONS)
}
