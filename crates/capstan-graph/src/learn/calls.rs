//! The calls of a trace, with what they mean for the graph.

use std::collections::BTreeMap;

use capstan_core::code::{Fqdn, Mode, Node, Trace, kept};
use serde_json::{Map, Value};

use super::hidden;

#[derive(Debug)]
pub(super) struct Calls<'a> {
    pub(super) all: Vec<Call<'a>>,
    /// The code that came with the call and made those that are within no other.
    pub(super) whole: Option<Node>,
    pub(super) mode: Mode,
    /// What that code was given.
    pub(super) given: Option<&'a Value>,
    /// It was given more than was kept.
    given_is_cut: bool,
}

#[derive(Debug)]
pub(super) struct Call<'a> {
    /// Nothing if it is no node.
    pub(super) node: Option<Node>,
    pub(super) step: Option<&'a str>,
    pub(super) within: Option<u32>,
    pub(super) home: Home,
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) batch: u32,
    pub(super) ok: bool,
    /// Nothing if it was not kept.
    pub(super) input: Option<&'a Value>,
    /// It was given more than was kept.
    input_is_cut: bool,
    pub(super) output: Option<&'a Value>,
    /// Of an output that was not kept, what others were given, by its JSON pointers.
    pub(super) used: Option<&'a Map<String, Value>>,
}

/// What made a call. Own actions and code that stands in a skill are no nodes: what made them made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// The execution as a whole.
    Whole,
    /// The call at this place.
    Call(usize),
    /// Something that failed.
    Failed,
    /// Nobody knows: a call that is not there, or that is within itself.
    Nowhere,
}

impl<'a> Calls<'a> {
    pub(super) fn of(trace: &'a Trace, is_node: &impl Fn(&str) -> bool) -> Self {
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
                home: Home::Nowhere,
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
        for (call, home) in homes(&all).into_iter().enumerate() {
            all[call].home = home;
        }
        let fqdn = trace.capability.as_deref().map(Fqdn::parse);
        let came_with_call = trace.mode == Mode::Direct && trace.ok;
        let whole = fqdn.filter(|_| came_with_call).and_then(Result::ok);
        Self {
            all,
            whole: whole.map(Node::Code),
            mode: trace.mode,
            given: kept(&trace.input),
            given_is_cut: kept::is_cut(&trace.input),
        }
    }

    /// What teaches something: calls that were ok, are nodes, and whose place is known.
    pub(super) fn teaching(&self) -> impl Iterator<Item = (usize, &Call<'a>, &Node)> {
        let calls = self.all.iter().enumerate();
        calls.filter_map(|(place, call)| {
            let node = call.node.as_ref()?;
            (call.ok && call.home != Home::Nowhere).then_some((place, call, node))
        })
    }

    /// Those that were made by the same, and are no steps of a chain: there, order is what references say.
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

    /// Whether what was given to those who made calls is known, so that it can be told from what the calls
    /// gave each other.
    pub(super) fn knows_given(&self, within: Option<u32>) -> bool {
        match within.and_then(|it| self.all.get(it as usize)) {
            Some(outer) => !outer.input_is_cut,
            None => !self.given_is_cut,
        }
    }

    /// What was given to those who made calls, as far as it was kept.
    pub(super) fn given_to(&self, within: Option<u32>) -> Option<&'a Value> {
        match within {
            Some(outer) => self.all.get(outer as usize)?.input,
            None => self.given,
        }
    }

    /// The first call that is within no other.
    pub(super) fn top(&self) -> Option<&Node> {
        let tops = self.teaching().filter(|(_, call, _)| call.within.is_none());
        let first = tops.min_by_key(|(_, call, node)| (call.moment(), *node));
        first.map(|(_, _, node)| node)
    }
}

impl Call<'_> {
    /// When it began. What began in the same microsecond is in the order of batches.
    pub(super) fn moment(&self) -> (u64, u32) {
        (self.start, self.batch)
    }
}

fn homes(calls: &[Call<'_>]) -> Vec<Home> {
    let mut homes: Vec<Option<Home>> = vec![None; calls.len()];
    let mut on_way = vec![false; calls.len()];
    for call in 0..calls.len() {
        // Up to what is known, and back.
        let mut way = Vec::new();
        let mut here = call;
        let mut home = loop {
            if let Some(home) = homes[here] {
                break inner(calls, here, home);
            }
            if on_way[here] {
                break Home::Nowhere;
            }
            on_way[here] = true;
            way.push(here);
            match calls[here].within.map(|it| it as usize) {
                None => break Home::Whole,
                Some(outer) if outer < calls.len() => here = outer,
                Some(_) => break Home::Nowhere,
            }
        };
        for here in way.into_iter().rev() {
            homes[here] = Some(home);
            on_way[here] = false;
            home = inner(calls, here, home);
        }
    }
    homes
        .into_iter()
        .map(|home| home.unwrap_or(Home::Nowhere))
        .collect()
}

/// The home of what a call makes.
fn inner(calls: &[Call<'_>], place: usize, home: Home) -> Home {
    let call = &calls[place];
    match home {
        Home::Nowhere => Home::Nowhere,
        _ if !call.ok => Home::Failed,
        _ if call.node.is_some() => Home::Call(place),
        _ => home,
    }
}
