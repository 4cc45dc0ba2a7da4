//! Random statements and queries about relations.

use capstan_core::code::{
    EdgeKind, EdgeSource, Evidence, Fqdn, Node, Observation, Passed, Trace, TraceId,
};
use capstan_core::port::{Direction, Learned, Store, Viewer};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::same;
use crate::contract::model::Model;
use crate::contract::{card, code, edge, fqdn, trace};

#[derive(Clone, Debug)]
pub(crate) enum RelationChange {
    Add(Ends, EdgeKind, EdgeSource),
    Observe(Ends, u8),
    Remove(Ends),
    ForgetLearned(Option<End>),
    /// Learns from some trace.
    Learn(Index, Vec<SeenEdge>),
    /// Compares some code with other code.
    Relate(Index, Vec<SeenEdge>),
}

/// Some code, or a card.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Code(Index),
    Card(&'static str),
}

type Ends = (End, End);
type SeenEdge = (Ends, EdgeKind, u8, Evidence);

pub(super) fn relation_change() -> impl Strategy<Value = RelationChange> {
    prop_oneof![
        6 => (ends(), select(&EdgeKind::ALL), select(&EdgeSource::ALL))
            .prop_map(|(ends, kind, source)| RelationChange::Add(ends, kind, source)),
        2 => (ends(), 0..4u8).prop_map(|(ends, times)| RelationChange::Observe(ends, times)),
        1 => ends().prop_map(RelationChange::Remove),
        1 => prop::option::of(end()).prop_map(RelationChange::ForgetLearned),
        5 => (any::<Index>(), prop::collection::vec(seen(), 0..6))
            .prop_map(|(of, seen)| RelationChange::Learn(of, seen)),
        2 => (any::<Index>(), prop::collection::vec(seen(), 0..4))
            .prop_map(|(of, seen)| RelationChange::Relate(of, seen)),
    ]
}

fn seen() -> impl Strategy<Value = SeenEdge> {
    (ends(), select(&EdgeKind::ALL), 0..4u8, evidence())
}

fn ends() -> impl Strategy<Value = Ends> {
    (end(), end())
}

fn end() -> impl Strategy<Value = End> {
    prop_oneof![
        3 => any::<Index>().prop_map(End::Code),
        2 => card_end(),
    ]
}

fn card_end() -> impl Strategy<Value = End> {
    select(&["issue.view", "pr.list", "files.read", "aaa"]).prop_map(End::Card)
}

fn evidence() -> impl Strategy<Value = Evidence> {
    let passed = Passed {
        output: "/data/id".to_owned(),
        input: "/number".to_owned(),
    };
    select(vec![
        Evidence::Called,
        Evidence::Followed,
        Evidence::FollowedInSession,
        Evidence::PassedOn(vec![passed]),
        Evidence::SharedCalls(vec!["issue.view".to_owned()]),
        Evidence::AlikeIntents(0.9375),
    ])
}

/// Applies the change to the store and to the model, and compares their answers.
pub(super) async fn apply(
    store: &dyn Store,
    model: &mut Model,
    who: Option<&Viewer>,
    said: &RelationChange,
    at: i64,
) {
    match said {
        RelationChange::Add((from, to), kind, source) => {
            let new = edge(&node(model, from), &node(model, to), *kind, *source);
            let who = whose(model, who, [&new.from, &new.to]);
            let new = capstan_core::port::NewEdge { at, ..new };
            let done = store.add_edge(&who, new.clone()).await;
            let expected = model.add_edge(&who, &new);
            if let Ok(added) = &done {
                let ends = (&added.edge.from, &added.edge.to);
                let is_contained = added.edge.kind == EdgeKind::Contains;
                check_cycle(model, &who, ends, added.cycle.as_deref(), is_contained);
            }
            same(done.map(|it| (it.edge, it.replaced)), &expected);
        }
        RelationChange::Observe((from, to), times) => {
            let (from, to) = (node(model, from), node(model, to));
            let who = whose(model, who, [&from, &to]);
            let times = u64::from(*times);
            let done = store.observe_edge(&who, &from, &to, times, at).await;
            same(done, &model.observe_edge(&who, (&from, &to), times, at));
        }
        RelationChange::Remove((from, to)) => {
            let (from, to) = (node(model, from), node(model, to));
            let who = whose(model, who, [&from, &to]);
            let done = store.remove_edge(&who, &from, &to).await;
            same(done, &model.remove_edge(&who, &from, &to));
        }
        RelationChange::ForgetLearned(end) => {
            let node = end.as_ref().map(|end| node(model, end));
            let who = whose(model, who, node.as_ref());
            let done = store.forget_learned(&who, node.as_ref()).await.unwrap();
            assert_eq!(done, model.forget_learned(&who, node.as_ref()));
        }
        RelationChange::Learn(of, seen) => {
            let traces = model.traces.all();
            let (owner, trace) = if traces.is_empty() {
                (whose(model, who, []), unknown())
            } else {
                of.get(&traces).clone()
            };
            let who = who.cloned().unwrap_or(owner);
            let seen: Vec<_> = seen.iter().map(|it| observation(model, it)).collect();
            let done = store.learn(&who, &trace.id, seen.clone()).await.unwrap();
            let before = model.contained(&who);
            assert_eq!(done.changed, model.learn(&who, &trace, &seen));
            check_cycles(model, &who, &before, &done);
        }
        RelationChange::Relate(of, seen) => {
            let fqdn = record(model, of);
            let who = whose(model, who, [&code(&fqdn)]);
            let seen: Vec<_> = seen.iter().map(|it| observation(model, it)).collect();
            let done = store.relate(&who, &fqdn, seen.clone(), at).await.unwrap();
            let before = model.contained(&who);
            assert_eq!(done.changed, model.relate(&who, &fqdn, &seen, at));
            check_cycles(model, &who, &before, &done);
        }
    }
}

pub(super) async fn compare(store: &dyn Store, model: &Model, viewer: &Viewer) {
    for above in [None, Some(0.3), Some(0.35), Some(0.5), Some(1.0)] {
        let found = store.all_edges(viewer, above).await.unwrap();
        assert_eq!(found, model.all_edges(viewer, above), "{above:?}");
    }
    let cards = ["issue.view", "pr.list", "files.read", "aaa", "nothing"].map(card);
    let records = model.fqdns();
    let codes = records.iter().map(code);
    let nodes: Vec<_> = codes.chain(cards).collect();
    for node in &nodes {
        for direction in [Direction::From, Direction::To, Direction::Both] {
            let found = store.edges(viewer, node, direction).await.unwrap();
            assert_eq!(found, model.edges(viewer, node, direction));
        }
        let count = store.count_edges(viewer, node).await.unwrap();
        let both = model.edges(viewer, node, Direction::Both);
        assert_eq!(count, both.len() as u64);
        for other in &nodes {
            let found = store.edge(viewer, node, other).await.unwrap();
            assert_eq!(found, model.edge(viewer, node, other));
        }
    }
    let unlearned = store.unlearned(viewer, 1000).await.unwrap();
    assert_eq!(unlearned, model.unlearned(viewer));
    let unrelated = store.unrelated(viewer, 1000).await.unwrap();
    assert_eq!(unrelated, model.unrelated(viewer));
    for fqdn in &records {
        let found = store.sharing(viewer, fqdn, 1000).await.unwrap();
        assert_eq!(found, model.sharing(viewer, fqdn));
    }
}

fn record(model: &Model, index: &Index) -> Fqdn {
    let records = model.fqdns();
    if records.is_empty() {
        fqdn("local.default.issue.exec_0.0")
    } else {
        index.get(&records).clone()
    }
}

fn node(model: &Model, end: &End) -> Node {
    match end {
        End::Code(index) => code(&record(model, index)),
        End::Card(id) => card(id),
    }
}

fn observation(model: &Model, ((from, to), kind, times, evidence): &SeenEdge) -> Observation {
    Observation {
        from: node(model, from),
        to: node(model, to),
        kind: *kind,
        times: u64::from(*times),
        evidence: evidence.clone(),
    }
}

/// Returns the given viewer, or else the owner of the code.
fn whose<'a>(
    model: &Model,
    who: Option<&Viewer>,
    nodes: impl IntoIterator<Item = &'a Node>,
) -> Viewer {
    let mut codes = nodes.into_iter().filter_map(Node::code);
    let owner = || codes.find_map(|fqdn| model.owner(fqdn));
    who.cloned()
        .or_else(owner)
        .unwrap_or_else(crate::contract::ann)
}

fn unknown() -> Trace {
    Trace {
        id: TraceId::kept("nobody-has-it"),
        ..trace(1, &[])
    }
}

/// Checks that a reported cycle is one, and that an existing cycle is reported.
fn check_cycle(
    model: &Model,
    who: &Viewer,
    (from, to): (&Node, &Node),
    told: Option<&[Node]>,
    is_contained: bool,
) {
    let contained = model.contained(who);
    let back = is_contained && leads_to(&contained, to, from);
    match told {
        None => assert!(!back, "a cycle from {from} over {to} is not told"),
        Some(cycle) => {
            assert!(back, "{cycle:?}");
            is_cycle(&contained, cycle);
            assert_eq!((&cycle[0], &cycle[1]), (from, to));
        }
    }
}

/// Checks that all reported cycles are cycles, and that one is reported if there is any.
fn check_cycles(model: &Model, who: &Viewer, before: &[(Node, Node)], learned: &Learned) {
    let contained = model.contained(who);
    for cycle in &learned.cycles {
        is_cycle(&contained, cycle);
    }
    let mut new = contained.iter().filter(|it| !before.contains(it));
    let is_one = new.any(|(from, to)| leads_to(&contained, to, from));
    assert_eq!(is_one, !learned.cycles.is_empty());
}

fn is_cycle(contained: &[(Node, Node)], cycle: &[Node]) {
    assert!(cycle.len() >= 3, "{cycle:?}");
    assert_eq!(cycle.first(), cycle.last());
    for pair in cycle.windows(2) {
        let pair = (pair[0].clone(), pair[1].clone());
        assert!(contained.contains(&pair), "{cycle:?}");
    }
}

fn leads_to(contained: &[(Node, Node)], from: &Node, to: &Node) -> bool {
    let mut reached = vec![from];
    let mut next = 0;
    while next < reached.len() {
        let inside = contained.iter().filter(|(outer, _)| outer == reached[next]);
        let inside: Vec<_> = inside.map(|(_, inner)| inner).collect();
        reached.extend(
            inside
                .into_iter()
                .filter(|it| !reached.contains(it))
                .collect::<Vec<_>>(),
        );
        next += 1;
    }
    reached.contains(&to)
}
