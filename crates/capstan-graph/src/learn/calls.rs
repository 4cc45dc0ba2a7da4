//! The calls of a trace, with their meaning for the graph.

use std::collections::BTreeMap;

use capstan_core::code::{Fqdn, Mode, Node, Trace, kept};
use serde_json::{Map, Value};

use super::hidden;

#[derive(Debug)]
pub(super) struct Calls<'a> {
    pub(super) all: Vec<Call<'a>>,
    /// The code that came with the call. It made the calls that are within no other.
    pub(super) whole: Option<Node>,
    pub(super) mode: Mode,
    /// The input of that code.
    pub(super) given: Option<&'a Value>,
    /// Whether that input is longer than what was kept.
    given_is_cut: bool,
}

#[derive(Debug)]
pub(super) struct Call<'a> {
    /// `None` if the call is not a node.
    pub(super) node: Option<Node>,
    pub(super) step: Option<&'a str>,
    pub(super) within: Option<u32>,
    pub(super) made_by: MadeBy,
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) batch: u32,
    pub(super) ok: bool,
    /// `None` if it was not kept.
    pub(super) input: Option<&'a Value>,
    /// Whether the input is longer than what was kept.
    input_is_cut: bool,
    pub(super) output: Option<&'a Value>,
    /// Of an output that was not kept, the values that other calls used, by their JSON pointers.
    pub(super) used: Option<&'a Map<String, Value>>,
}

/// The caller of a call. Capstan's own actions, and code inside a skill, are not nodes; their own caller
/// counts instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MadeBy {
    /// The execution as a whole.
    Whole,
    /// The call at this index.
    Call(usize),
    /// A call that failed.
    Failed,
    /// Unknown: a call that does not exist, or a call within itself.
    Nowhere,
}

impl<'a> Calls<'a> {
    pub(super) fn from_trace(trace: &'a Trace, is_node: &impl Fn(&str) -> bool) -> Self {
        let node = |code: &Option<Fqdn>, id: &str| match code {
            Some(fqdn) => Some(Node::Code(fqdn.clone())),
            None if id.is_empty() || hidden::is_masked(id) || !is_node(id) => None,
            None => Some(Node::Named(id.to_owned())),
        };
        let kept = |value: &'a Value| (!value.is_null() && !kept::is_cut(value)).then_some(value);
        let mut all: Vec<Call<'a>> = trace
            .calls
            .iter()
            .map(|call| Call {
                node: node(&call.code, &call.capability),
                step: call.step.as_deref(),
                within: call.within,
                made_by: MadeBy::Nowhere,
                start: call.started_us,
                end: call.started_us.saturating_add(call.duration_us),
                batch: call.batch,
                ok: call.ok,
                input: kept(&call.input),
                input_is_cut: kept::is_cut(&call.input),
                output: kept(&call.output),
                used: kept::used_parts(&call.output),
            })
            .collect();
        for (call, made_by) in makers_of_calls(&all).into_iter().enumerate() {
            all[call].made_by = made_by;
        }
        let fqdn = trace.capability.as_deref().map(Fqdn::parse);
        let came_with_call = trace.mode == Mode::Direct && trace.ok;
        let whole = if came_with_call {
            fqdn.and_then(Result::ok)
        } else {
            None
        };
        Self {
            all,
            whole: whole.map(Node::Code),
            mode: trace.mode,
            given: kept(&trace.input),
            given_is_cut: kept::is_cut(&trace.input),
        }
    }

    /// Returns the calls that teach something: successful calls of nodes whose maker is known.
    pub(super) fn teaching(&self) -> impl Iterator<Item = (usize, &Call<'a>, &Node)> {
        let calls = self.all.iter().enumerate();
        calls.filter_map(|(place, call)| {
            let node = call.node.as_ref()?;
            (call.ok && call.made_by != MadeBy::Nowhere).then_some((place, call, node))
        })
    }

    /// Returns the calls with the same maker, except steps of a chain, whose order follows from
    /// references.
    pub(super) fn siblings(&self) -> BTreeMap<Option<u32>, Vec<(usize, &Call<'a>, &Node)>> {
        let mut siblings: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for taught in self.teaching() {
            let within = taught.1.within;
            if within.is_some() || self.mode != Mode::Chain {
                siblings.entry(within).or_default().push(taught);
            }
        }
        siblings
    }

    /// Returns whether the input of a maker is known completely, so that it can be distinguished
    /// from values that the calls passed to each other.
    pub(super) fn knows_given(&self, within: Option<u32>) -> bool {
        match within.and_then(|it| self.all.get(it as usize)) {
            Some(outer) => !outer.input_is_cut,
            None => !self.given_is_cut,
        }
    }

    /// Returns the stored part of a caller's input.
    pub(super) fn given_to(&self, within: Option<u32>) -> Option<&'a Value> {
        match within {
            Some(outer) => self.all.get(outer as usize)?.input,
            None => self.given,
        }
    }

    /// Returns the first call that is within no other.
    pub(super) fn top(&self) -> Option<&Node> {
        let tops = self.teaching().filter(|(_, call, _)| call.within.is_none());
        let first = tops.min_by_key(|(_, call, node)| (call.moment(), *node));
        first.map(|(_, _, node)| node)
    }
}

impl Call<'_> {
    /// Returns when the call began. Calls of the same microsecond are in the order of batches.
    pub(super) fn moment(&self) -> (u64, u32) {
        (self.start, self.batch)
    }
}

fn makers_of_calls(calls: &[Call<'_>]) -> Vec<MadeBy> {
    let mut makers_of_calls: Vec<Option<MadeBy>> = vec![None; calls.len()];
    let mut on_way = vec![false; calls.len()];
    for call in 0..calls.len() {
        // Follow the makers up to a known one, and then back.
        let mut way = Vec::new();
        let mut here = call;
        let mut made_by = loop {
            if let Some(made_by) = makers_of_calls[here] {
                break inner(calls, here, made_by);
            }
            if on_way[here] {
                break MadeBy::Nowhere;
            }
            on_way[here] = true;
            way.push(here);
            match calls[here].within.map(|it| it as usize) {
                None => break MadeBy::Whole,
                Some(outer) if outer < calls.len() => here = outer,
                Some(_) => break MadeBy::Nowhere,
            }
        };
        for here in way.into_iter().rev() {
            makers_of_calls[here] = Some(made_by);
            on_way[here] = false;
            made_by = inner(calls, here, made_by);
        }
    }
    makers_of_calls
        .into_iter()
        .map(|made_by| made_by.unwrap_or(MadeBy::Nowhere))
        .collect()
}

/// Returns the home of the calls that a call makes.
fn inner(calls: &[Call<'_>], place: usize, made_by: MadeBy) -> MadeBy {
    let call = &calls[place];
    match made_by {
        MadeBy::Nowhere => MadeBy::Nowhere,
        _ if !call.ok => MadeBy::Failed,
        _ if call.node.is_some() => MadeBy::Call(place),
        _ => made_by,
    }
}
