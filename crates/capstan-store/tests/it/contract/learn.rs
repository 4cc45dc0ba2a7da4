//! What traces teach, each once.

use std::sync::Arc;

use capstan_core::code::{
    EdgeKind, EdgeSource, Evidence, Observation, Observed, Passed, Trace, TraceId,
};
use capstan_core::port::{Learned, NewCapability, Store};
use futures_executor::block_on;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;

use super::edges::with_three;
use super::*;

pub(crate) async fn makes_relations_stronger(backend: &Backend) {
    let (store, [a, b, _]) = with_three(backend).await;
    let view = card("issue.view");
    let mut confidences = Vec::new();
    for at in [3000, 1000, 2000, 4000] {
        let seen = vec![
            seen(&a, &b, EdgeKind::Contains, 1),
            seen(&b, &view, EdgeKind::Sequence, 5),
        ];
        let learned = learn(&*store, &ann(), at, seen).await;
        assert_eq!((learned.changed, learned.cycles), (2, vec![]));
        let found = edges_of(&*store, &ann(), &a).await.remove(0);
        confidences.push((found.observed, found.source, found.confidence()));
    }
    let inferred = EdgeKind::Contains.confidence(EdgeSource::Inferred);
    assert_eq!(
        confidences,
        [
            (1, EdgeSource::Inferred, inferred),
            (2, EdgeSource::Inferred, inferred),
            (3, EdgeSource::Observed, 0.8),
            (4, EdgeSource::Observed, 0.8),
        ]
    );
    let found = store.all_edges(&ann(), None).await.unwrap();
    let [of_code, of_card] = &found[..] else {
        panic!("{found:?}");
    };
    for it in [of_code, of_card] {
        assert_eq!((it.created_at, it.last_observed), (1000, 4000));
    }
    assert_eq!(
        (of_card.observed, of_card.source),
        (20, EdgeSource::Observed)
    );
}

pub(crate) async fn happens_once(backend: &Backend) {
    let store = backend.open();
    let [a, b] = ["a", "b"].map(card);
    let kept = trace(1000, &[]);
    store.add_trace(&ann(), kept.clone()).await.unwrap();
    let one = || vec![seen(&a, &b, EdgeKind::Sequence, 1)];
    // Others have no such trace, and neither has anybody one that never was.
    let unknown = TraceId::kept("nobody-has-it");
    for (who, id) in [
        (bob(), &kept.id),
        (viewer("acme.web", "ann"), &kept.id),
        (ann(), &unknown),
    ] {
        let learned = store.learn(&who, id, one()).await;
        assert_eq!(learned, Ok(Learned::default()));
    }
    assert_eq!(store.all_edges(&ann(), None).await, Ok(vec![]));
    let first = store.learn(&ann(), &kept.id, one()).await.unwrap();
    assert_eq!(first.changed, 1);
    let before = store.all_edges(&ann(), None).await.unwrap();
    for again in [one(), vec![seen(&b, &a, EdgeKind::Contains, 9)]] {
        let learned = backend.open().learn(&ann(), &kept.id, again).await;
        assert_eq!(learned, Ok(Learned::default()));
    }
    // It is the same trace, whatever it is said to be.
    store.add_trace(&ann(), kept.clone()).await.unwrap();
    let again = store.learn(&ann(), &kept.id, one()).await.unwrap();
    assert_eq!(again.changed, 0);
    assert_eq!(store.all_edges(&ann(), None).await, Ok(before));
}

/// What says nothing is learned from too, else it would be asked about for ever.
pub(crate) async fn takes_traces_from_the_oldest(backend: &Backend) {
    let store = backend.open();
    for at in [3000, 1000, 2000] {
        store.add_trace(&ann(), trace(at, &["a.b"])).await.unwrap();
    }
    let failed = Trace {
        ok: false,
        ..trace(1500, &[])
    };
    store.add_trace(&bob(), failed.clone()).await.unwrap();
    let left = async |limit| {
        let left = store.unlearned(&ann(), limit).await.unwrap();
        left.iter().map(|it| it.started_at).collect::<Vec<_>>()
    };
    assert_eq!(left(10).await, [1000, 2000, 3000]);
    assert_eq!(left(2).await, [1000, 2000]);
    assert_eq!(left(0).await, [0; 0]);
    let first = store.unlearned(&ann(), 1).await.unwrap();
    assert_eq!(first, [trace(1000, &["a.b"])]);
    assert_eq!(store.unlearned(&bob(), 10).await, Ok(vec![failed]));
    let far = viewer("acme.web", "ann");
    assert_eq!(store.unlearned(&far, 10).await, Ok(vec![]));
    for at in [2000, 1000] {
        let id = TraceId::new(at, 0);
        store.learn(&ann(), &id, vec![]).await.unwrap();
    }
    assert_eq!(left(10).await, [3000]);
    // Code that was registered brings a trace with it.
    let new = NewCapability {
        trace: Some(trace(500, &[])),
        ..new("a")
    };
    store.register(new).await.unwrap();
    assert_eq!(left(10).await, [500, 3000]);
    store.prune_traces(&ann(), 0).await.unwrap();
    assert_eq!(left(10).await, [0; 0]);
}

/// Which observations stand behind a relation.
pub(crate) async fn can_be_explained(backend: &Backend) {
    let store = backend.open();
    let [a, b] = ["a", "b"].map(card);
    let passed = Evidence::PassedOn(vec![
        Passed {
            output: "/data/id".to_owned(),
            input: "/issue/ü~1\u{0}".to_owned(),
        },
        Passed {
            output: String::new(),
            input: "/x".to_owned(),
        },
    ]);
    let all = [
        Evidence::Called,
        Evidence::Followed,
        Evidence::FollowedInSession,
        passed,
        Evidence::SharedCalls(vec![]),
        Evidence::AlikeIntents(0.1 + 0.2),
        // What is no number spoils nothing.
        Evidence::AlikeIntents(f64::NAN),
    ];
    for (at, evidence) in all.iter().enumerate() {
        let of = |kind, times| Observation {
            evidence: evidence.clone(),
            ..seen(&a, &b, kind, times)
        };
        let seen = vec![of(EdgeKind::Sequence, 2), of(EdgeKind::Dependency, 1)];
        learn(&*store, &ann(), at as i64, seen).await;
    }
    learn(
        &*store,
        &bob(),
        99,
        vec![seen(&a, &b, EdgeKind::Contains, 4)],
    )
    .await;

    let (edge, why) = store.edge(&ann(), &a, &b).await.unwrap().unwrap();
    assert_eq!(
        (edge.kind, edge.source),
        (EdgeKind::Dependency, EdgeSource::Observed)
    );
    assert_eq!(edge.observed, 3 * all.len() as u64 + 4);
    let mut expected = Vec::new();
    for (at, evidence) in all.iter().enumerate().rev() {
        for (kind, times) in [(EdgeKind::Dependency, 1), (EdgeKind::Sequence, 2)] {
            expected.push(Observed {
                kind,
                times,
                evidence: match evidence {
                    Evidence::AlikeIntents(alike) if alike.is_nan() => Evidence::AlikeIntents(0.0),
                    evidence => evidence.clone(),
                },
                trace: Some(TraceId::new(at as i64, 0)),
                at: at as i64,
            });
        }
    }
    assert_eq!(why, expected);
    let (of_bob, why) = store.edge(&bob(), &a, &b).await.unwrap().unwrap();
    assert_eq!(of_bob, edge);
    assert_eq!((why.len(), why[0].times), (1, 4));
    let far = viewer("acme.web", "ann");
    let (of_far, why) = store.edge(&far, &a, &b).await.unwrap().unwrap();
    assert_eq!((of_far, why), (edge, vec![]));
    assert_eq!(store.edge(&ann(), &b, &a).await, Ok(None));
}

pub(crate) async fn outlives_its_traces(backend: &Backend) {
    let store = backend.open();
    let [a, b] = ["a", "b"].map(card);
    for at in [1000, 2000, 3000] {
        learn(
            &*store,
            &ann(),
            at,
            vec![seen(&a, &b, EdgeKind::Sequence, 1)],
        )
        .await;
    }
    let times = async || {
        let (edge, why) = store.edge(&ann(), &a, &b).await.unwrap().unwrap();
        let times: Vec<_> = why.iter().map(|it| it.at).collect();
        (edge, times)
    };
    let (before, seen_at) = times().await;
    assert_eq!(seen_at, [3000, 2000, 1000]);
    store.prune_traces(&bob(), 0).await.unwrap();
    assert_eq!(times().await, (before.clone(), seen_at));
    store.prune_traces(&ann(), 1).await.unwrap();
    assert_eq!(times().await, (before.clone(), vec![3000]));
    store.prune_traces(&ann(), 0).await.unwrap();
    assert_eq!(times().await, (before, vec![]));
}

pub(crate) async fn leaves_out_what_is_gone_hidden_or_nothing(backend: &Backend) {
    let (store, [a, b, c]) = with_three(backend).await;
    let his = store.register(new_by(&bob(), "d")).await.unwrap();
    let his = code(&his.record.fqdn);
    store.delete(c.code().unwrap()).await.unwrap();
    let kind = EdgeKind::Contains;
    // What is hidden is hidden, whatever it is taken for.
    let disguised = card(his.as_str());
    let seen = vec![
        seen(&a, &c, kind, 1),
        seen(&c, &a, kind, 1),
        seen(&a, &his, kind, 1),
        seen(&disguised, &a, kind, 1),
        seen(&a, &a, kind, 1),
        seen(&a, &b, kind, 0),
        seen(&b, &card("issue.view"), kind, 1),
    ];
    let learned = learn(&*store, &ann(), 1000, seen).await;
    assert_eq!(learned.changed, 1);
    for who in [ann(), bob()] {
        let found = store.all_edges(&who, None).await.unwrap();
        assert_eq!(found.len(), usize::from(who == ann()), "{found:?}");
    }
    assert_eq!(edges_of(&*store, &bob(), &his).await, []);
}

/// Both are of one trace, and both are counted.
pub(crate) async fn counts_what_is_said_twice(backend: &Backend) {
    let store = backend.open();
    let [a, b] = ["a", "b"].map(card);
    let of = |times| seen(&a, &b, EdgeKind::Sequence, times);
    let learned = learn(&*store, &ann(), 1, vec![of(1), of(2), of(u64::MAX)]).await;
    assert_eq!(learned.changed, 1);
    let (edge, why) = store.edge(&ann(), &a, &b).await.unwrap().unwrap();
    assert_eq!(why.len(), 1);
    assert_eq!(why[0].times, edge.observed);
    assert!(edge.observed > u64::from(u32::MAX));
    assert_eq!(edge.source, EdgeSource::Observed);
}

/// What a person stated is only counted, and what was declared becomes more.
pub(crate) async fn adds_to_what_was_stated(backend: &Backend) {
    let store = backend.open();
    let [a, b, c] = ["a", "b", "c"].map(card);
    state(
        &*store,
        &ann(),
        (&a, &b),
        EdgeKind::Sequence,
        EdgeSource::Manual,
    )
    .await;
    state(
        &*store,
        &ann(),
        (&a, &c),
        EdgeKind::Sequence,
        EdgeSource::Template,
    )
    .await;
    let mut found = Vec::new();
    for at in 1..=3 {
        let seen = vec![
            seen(&a, &b, EdgeKind::Dependency, 1),
            seen(&a, &c, EdgeKind::Dependency, 1),
        ];
        learn(&*store, &ann(), at, seen).await;
        for edge in edges_of(&*store, &ann(), &a).await {
            found.push((edge.kind, edge.source, edge.observed));
        }
    }
    assert_eq!(
        found,
        [
            (EdgeKind::Sequence, EdgeSource::Manual, 2),
            (EdgeKind::Dependency, EdgeSource::Inferred, 2),
            (EdgeKind::Sequence, EdgeSource::Manual, 3),
            (EdgeKind::Dependency, EdgeSource::Observed, 3),
            (EdgeKind::Sequence, EdgeSource::Manual, 4),
            (EdgeKind::Dependency, EdgeSource::Observed, 4),
        ]
    );
}

pub(crate) async fn is_forgotten_only_by_those_who_taught_it(backend: &Backend) {
    let store = backend.open();
    let [a, b, c] = ["a", "b", "c"].map(card);
    let of_ann = vec![
        seen(&a, &b, EdgeKind::Sequence, 1),
        seen(&b, &c, EdgeKind::Sequence, 1),
    ];
    let of_bob = vec![seen(&a, &b, EdgeKind::Sequence, 1)];
    learn(&*store, &ann(), 1, of_ann).await;
    learn(&*store, &bob(), 2, of_bob).await;
    // What both taught is not one's to forget, nor is what only the other taught.
    assert_eq!(store.forget_learned(&bob(), None).await, Ok(0));
    assert_eq!(store.forget_learned(&ann(), Some(&a)).await, Ok(0));
    assert_eq!(store.forget_learned(&ann(), None).await, Ok(1));
    let left = store.all_edges(&ann(), None).await.unwrap();
    assert_eq!((&left[0].from, &left[0].to, left.len()), (&a, &b, 1));
}

pub(crate) async fn can_be_forgotten(backend: &Backend) {
    let (store, [a, b, c]) = with_three(backend).await;
    let [view, list] = ["issue.view", "pr.list"].map(card);
    let kind = EdgeKind::Sequence;
    state(&*store, &ann(), (&a, &view), kind, EdgeSource::Manual).await;
    state(&*store, &ann(), (&a, &list), kind, EdgeSource::Template).await;
    let everything = || {
        vec![
            seen(&a, &view, kind, 1),
            seen(&a, &b, kind, 1),
            seen(&b, &c, kind, 5),
            seen(&c, &list, kind, 1),
            seen(&list, &view, kind, 1),
        ]
    };
    assert_eq!(learn(&*store, &ann(), 1, everything()).await.changed, 5);
    let left = async || {
        let left = store.all_edges(&ann(), None).await.unwrap();
        left.iter()
            .map(|it| (it.from.clone(), it.to.clone()))
            .collect::<Vec<_>>()
    };
    let nodes = [&a, &b, &c, &view, &list];
    assert_eq!(left().await.len(), 6);
    let unknown = card("nobody.knows");
    assert_eq!(store.forget_learned(&ann(), Some(&unknown)).await, Ok(0));
    // Of one: from it and to it; of what was stated, why it is there.
    assert_eq!(store.forget_learned(&ann(), Some(&b)).await, Ok(2));
    assert_eq!(left().await.len(), 4);
    assert_eq!(
        store
            .edge(&ann(), &a, &view)
            .await
            .unwrap()
            .unwrap()
            .1
            .len(),
        1
    );
    assert_eq!(store.forget_learned(&ann(), Some(&a)).await, Ok(0));
    let (stated, why) = store.edge(&ann(), &a, &view).await.unwrap().unwrap();
    assert_eq!(
        (stated.source, stated.observed, why),
        (EdgeSource::Manual, 1, vec![])
    );
    // Of all.
    assert_eq!(store.forget_learned(&ann(), None).await, Ok(2));
    assert_eq!(
        left().await,
        [(&a, &view), (&a, &list)].map(|(from, to)| (from.clone(), to.clone()))
    );
    assert_eq!(store.forget_learned(&ann(), None).await, Ok(0));
    // It is learned again from what happens later, not from what happened.
    assert_eq!(store.unlearned(&ann(), 10).await, Ok(vec![]));
    assert_eq!(learn(&*store, &ann(), 1, everything()).await.changed, 0);
    assert_eq!(learn(&*store, &ann(), 2, everything()).await.changed, 5);
    let again = edges_of(&*store, &ann(), nodes[1]).await;
    assert!(again.iter().all(|it| it.created_at == 2), "{again:?}");
}

/// What was stated is what it was, whatever was seen before or later.
pub(crate) async fn leaves_what_was_stated(backend: &Backend) {
    use EdgeKind::{Contains, Dependency, Sequence};
    let store = backend.open();
    let [a, b, c, d] = ["a", "b", "c", "d"].map(card);
    let everything = |times| {
        vec![
            seen(&a, &b, Dependency, times),
            seen(&a, &c, Dependency, times),
            seen(&a, &d, Dependency, times),
        ]
    };
    let template = EdgeSource::Template;
    state(&*store, &ann(), (&a, &b), Sequence, template).await;
    state(&*store, &ann(), (&a, &d), Sequence, EdgeSource::Manual).await;
    learn(&*store, &ann(), 1, everything(4)).await;
    // It is less sure than what was seen, and all the same said.
    state(&*store, &ann(), (&a, &c), Contains, template).await;
    let found = async || {
        let found = edges_of(&*store, &ann(), &a).await.into_iter();
        found
            .map(|it| (it.kind, it.source, it.observed))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        found().await,
        [
            (Dependency, EdgeSource::Observed, 5),
            (Dependency, EdgeSource::Observed, 4),
            (Sequence, EdgeSource::Manual, 5),
        ]
    );
    assert_eq!(store.forget_learned(&ann(), Some(&a)).await, Ok(2));
    let stated = [
        (Sequence, template, 1),
        (Contains, template, 1),
        (Sequence, EdgeSource::Manual, 1),
    ];
    assert_eq!(found().await, stated);
    for end in [&b, &c, &d] {
        let (_, why) = store.edge(&ann(), &a, end).await.unwrap().unwrap();
        assert_eq!(why, []);
    }
    assert_eq!(store.forget_learned(&ann(), None).await, Ok(0));
    // What others saw of it stays, and what a person stated is counted by it.
    learn(&*store, &ann(), 2, everything(1)).await;
    learn(&*store, &bob(), 3, everything(2)).await;
    assert_eq!(store.forget_learned(&ann(), None).await, Ok(0));
    assert_eq!(
        found().await,
        [
            (Dependency, EdgeSource::Observed, 4),
            (Dependency, EdgeSource::Observed, 4),
            (Sequence, EdgeSource::Manual, 3),
        ]
    );
}

/// Thirty traces in one order, and, when all is forgotten, in another.
pub(crate) async fn does_not_depend_on_the_order(backend: &Backend) {
    let (one, _) = with_three(backend).await;
    let traces = prop::collection::vec(observations(), 30);
    let orders = (0..30usize).collect::<Vec<_>>();
    let orders = Just(orders).prop_shuffle();
    let all = (traces, orders.clone(), orders);
    std::thread::scope(|threads| {
        let tried = threads.spawn(|| {
            let mut runner = TestRunner::new(ProptestConfig::with_cases(12));
            runner.run(&all, |(traces, first, second)| {
                let mut found = Vec::new();
                for order in [first, second] {
                    found.push(block_on(learned_in_order(&one, &traces, &order)));
                }
                prop_assert_eq!(&found[0], &found[1]);
                Ok(())
            })
        });
        let tried = tried.join().unwrap();
        tried.unwrap_or_else(|error| panic!("{error}"));
    });
}

/// Of few, so that they meet.
fn observations() -> impl Strategy<Value = Vec<Observation>> {
    let codes = ["a", "b"].map(|it| {
        code(&fqdn(&format!(
            "local.default.issue.exec_{it}0000000.{it}000"
        )))
    });
    let nodes = [codes.to_vec(), ["a", "b", "d.e"].map(card).to_vec()].concat();
    let node = || select(nodes.clone());
    let seen = (node(), node(), select(&EdgeKind::ALL), 0..4u64)
        .prop_map(|(from, to, kind, times)| seen(&from, &to, kind, times));
    prop::collection::vec(seen, 0..8)
}

/// Everything that is known afterwards; the store is empty again then.
async fn learned_in_order(
    store: &Arc<dyn Store>,
    traces: &[Vec<Observation>],
    order: &[usize],
) -> impl PartialEq + std::fmt::Debug + use<> {
    state(
        &**store,
        &ann(),
        (&card("a"), &card("b")),
        EdgeKind::Sequence,
        EdgeSource::Template,
    )
    .await;
    for &place in order {
        let seen = traces[place].clone();
        learn(&**store, &ann(), 1000 + place as i64, seen).await;
    }
    let all = store.all_edges(&ann(), None).await.unwrap();
    let mut found = Vec::new();
    for edge in all {
        let (from, to) = (edge.from.clone(), edge.to.clone());
        found.push(store.edge(&ann(), &from, &to).await.unwrap().unwrap());
        store.remove_edge(&ann(), &from, &to).await.unwrap();
    }
    store.prune_traces(&ann(), 0).await.unwrap();
    found
}
