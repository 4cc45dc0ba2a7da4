//! Observed relations.

use capstan_core::code::{Edge, EdgeKind, EdgeSource, Node};
use capstan_core::port::{NewEdge, Store, StoreError};
use futures_executor::block_on;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;

use super::edges::with_three;
use super::*;

/// Observes a relation repeatedly and returns its source after each time.
async fn sources(
    store: &dyn Store,
    ends: (&Node, &Node),
    stated: EdgeSource,
    times: &[u64],
) -> Vec<EdgeSource> {
    state(store, &ann(), ends, EdgeKind::Contains, stated).await;
    let mut sources = Vec::new();
    for &times in times {
        let (from, to) = ends;
        let seen = store.observe_edge(&ann(), from, to, times, 2000).await;
        sources.push(seen.unwrap().source);
    }
    store.remove_edge(&ann(), ends.0, ends.1).await.unwrap();
    sources
}

pub(crate) async fn is_counted_and_becomes_observed(backend: &Backend) {
    use EdgeSource::{Inferred, Manual, Observed, Template};
    let (store, [a, b, _]) = with_three(backend).await;
    for (from, to) in [(&a, &b), (&a, &card("issue.view"))] {
        for (stated, times, expected) in [
            // The statement counts as the first time.
            (
                Inferred,
                &[1, 1, 1][..],
                &[Inferred, Observed, Observed][..],
            ),
            (Inferred, &[2], &[Observed]),
            (Inferred, &[0, 0, 0], &[Inferred, Inferred, Inferred]),
            (Template, &[1, 1, 1], &[Inferred, Observed, Observed]),
            (Template, &[0], &[Template]),
            (Template, &[7], &[Observed]),
            (Observed, &[1], &[Observed]),
            (Manual, &[1, 1, 1], &[Manual, Manual, Manual]),
        ] {
            let found = sources(&*store, (from, to), stated, times).await;
            assert_eq!(found, expected, "{stated:?} {times:?}");
        }
    }
}

pub(crate) async fn tells_when_and_how_often(backend: &Backend) {
    let (store, [a, b, _]) = with_three(backend).await;
    let kind = EdgeKind::Dependency;
    let stated = state(&*store, &ann(), (&a, &b), kind, EdgeSource::Manual).await;
    let mut found = Vec::new();
    for (times, at) in [(5, 3000), (0, 9000), (1, 2000), (u64::MAX, 500)] {
        let seen = store.observe_edge(&ann(), &a, &b, times, at).await.unwrap();
        assert_eq!((seen.kind, seen.source), (kind, EdgeSource::Manual));
        assert_eq!(edges_of(&*store, &ann(), &a).await, vec![seen.clone()]);
        found.push((seen.observed, seen.created_at, seen.last_observed));
    }
    let most = found.pop().unwrap();
    assert_eq!(stated.edge.observed, 1);
    assert_eq!(found, [(6, 1000, 3000), (6, 1000, 3000), (7, 1000, 3000)]);
    // The count saturates at the largest number.
    assert!(most.0 > u64::from(u32::MAX));
    assert_eq!((most.1, most.2), (500, 3000));
    let seen = store.observe_edge(&ann(), &a, &b, 1, 500).await.unwrap();
    assert_eq!(seen.observed, most.0);
}

pub(crate) async fn needs_a_relation(backend: &Backend) {
    let (store, [a, b, c]) = with_three(backend).await;
    state(
        &*store,
        &ann(),
        (&a, &b),
        EdgeKind::Sequence,
        EdgeSource::Manual,
    )
    .await;
    let missing = code(&fqdn("local.default.issue.exec_x.x"));
    for (from, to, what) in [
        (&b, &a, format!("{b} → {a}")),
        (&a, &c, format!("{a} → {c}")),
        (&a, &missing, missing.to_string()),
        (&missing, &a, missing.to_string()),
        (&a, &a, format!("{a} → {a}")),
    ] {
        let error = store.observe_edge(&ann(), from, to, 1, 1).await;
        assert_eq!(error, Err(StoreError::NotFound(what)));
    }
    assert_eq!(store.all_edges(&ann(), None).await.unwrap().len(), 1);
}

/// This holds however it began, and whatever is observed, stated or declared afterwards.
pub(crate) async fn never_lowers_confidence(backend: &Backend) {
    let store = backend.open();
    let step = prop_oneof![
        (1..4u64, 0..9i64).prop_map(|(times, at)| ObserveStep::Observe(times, at)),
        (select(&EdgeKind::ALL), 1..4u64).prop_map(|(kind, times)| ObserveStep::Learn(kind, times)),
        (select(&EdgeKind::ALL), select(&EdgeSource::ALL))
            .prop_filter("what a person states may lower it", |(_, source)| {
                *source != EdgeSource::Manual
            })
            .prop_map(|(kind, source)| ObserveStep::State(kind, source)),
    ];
    let first = (select(&EdgeKind::ALL), select(&EdgeSource::ALL));
    let all = (first, prop::collection::vec(step, 1..12));
    let tried = std::thread::scope(|threads| {
        let tried = threads.spawn(|| {
            let mut runner = TestRunner::new(ProptestConfig::with_cases(60));
            runner.run(&all, |(first, steps)| {
                block_on(check(&*store, first, &steps));
                Ok(())
            })
        });
        tried.join().unwrap()
    });
    tried.unwrap_or_else(|error| panic!("{error}"));
}

#[derive(Clone, Debug)]
enum ObserveStep {
    Observe(u64, i64),
    Learn(EdgeKind, u64),
    State(EdgeKind, EdgeSource),
}

async fn check(store: &dyn Store, first: (EdgeKind, EdgeSource), steps: &[ObserveStep]) {
    let ends = [card("a"), card("b")];
    let [from, to] = &ends;
    let mut before = state(store, &ann(), (from, to), first.0, first.1)
        .await
        .edge;
    for (at, step) in steps.iter().enumerate() {
        let edge = match step {
            ObserveStep::Observe(times, at) => {
                let seen = store.observe_edge(&ann(), from, to, *times, *at).await;
                seen.unwrap()
            }
            ObserveStep::Learn(kind, times) => {
                let seen = vec![seen(from, to, *kind, *times)];
                learn(store, &ann(), at as i64, seen).await;
                edges_of(store, &ann(), from).await.remove(0)
            }
            ObserveStep::State(kind, source) => {
                let new = NewEdge {
                    at: at as i64,
                    ..edge(from, to, *kind, *source)
                };
                store.add_edge(&ann(), new).await.unwrap().edge
            }
        };
        is_not_less(&before, &edge);
        before = edge;
    }
    store.remove_edge(&ann(), from, to).await.unwrap();
    store.prune_traces(&ann(), 0).await.unwrap();
}

fn is_not_less(before: &Edge, after: &Edge) {
    assert!(
        after.confidence() >= before.confidence(),
        "{before:?} {after:?}"
    );
    assert!(after.observed >= before.observed, "{before:?} {after:?}");
    assert!(
        after.created_at <= before.created_at,
        "{before:?} {after:?}"
    );
    assert!(
        after.last_observed >= before.last_observed,
        "{before:?} {after:?}"
    );
}
