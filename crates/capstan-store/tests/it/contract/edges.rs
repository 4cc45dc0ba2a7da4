//! Relations between capabilities: what is stated about them.

use capstan_core::code::{Edge, EdgeKind, EdgeSource, Node};
use capstan_core::port::{Direction, NewEdge, Store, StoreError};

use super::*;

/// A store with three capabilities.
pub(super) async fn with_three(backend: &Backend) -> (std::sync::Arc<dyn Store>, [Node; 3]) {
    let store = backend.open();
    for beginning in ["a", "b", "c"] {
        store.register(new(beginning)).await.unwrap();
    }
    let called = |digit: &str| {
        code(&fqdn(&format!(
            "local.default.issue.exec_{digit}0000000.{digit}000"
        )))
    };
    (store, ["a", "b", "c"].map(called))
}

/// What the first two are to each other after all of this was said.
async fn after(backend: &Backend, said: &[(EdgeKind, EdgeSource)]) -> Edge {
    let (store, [a, b, _]) = with_three(backend).await;
    let mut last = None;
    for &(kind, source) in said {
        let added = store.add_edge(&ann(), edge(&a, &b, kind, source)).await;
        last = Some(added.unwrap().edge);
    }
    let last = last.unwrap();
    assert_eq!(edges_of(&*store, &ann(), &a).await, vec![last.clone()]);
    // What is declared adds nothing to what is known.
    let known = said[1..].iter();
    let counted = known.filter(|(_, source)| *source != EdgeSource::Template);
    assert_eq!(last.observed, 1 + counted.count() as u64);
    assert_eq!(last.confidence(), last.kind.confidence(last.source));
    // So that the next is the first again.
    store.delete(a.code().unwrap()).await.unwrap();
    last
}

pub(crate) async fn are_seen_from_both_ends(backend: &Backend) {
    let (store, [a, b, c]) = with_three(backend).await;
    for kind in EdgeKind::ALL {
        for source in EdgeSource::ALL {
            let made = after(backend, &[(kind, source)]).await;
            assert_eq!((made.kind, made.source), (kind, source));
        }
    }
    store.register(new("a")).await.unwrap();
    let new = edge(&a, &b, EdgeKind::Contains, EdgeSource::Inferred);
    let made = store.add_edge(&ann(), new).await.unwrap().edge;
    for end in [&a, &b] {
        assert_eq!(edges_of(&*store, &ann(), end).await, vec![made.clone()]);
    }
    assert_eq!(edges_of(&*store, &ann(), &c).await, []);
    let unknown = code(&fqdn("local.default.issue.exec_x.x"));
    assert_eq!(edges_of(&*store, &ann(), &unknown).await, []);
}

pub(crate) async fn are_counted_and_become_observed(backend: &Backend) {
    use EdgeKind::Sequence;
    use EdgeSource::{Inferred, Manual, Observed, Template};
    for (said, expected) in [
        (&[Inferred, Inferred][..], Inferred),
        (&[Inferred, Inferred, Inferred], Observed),
        (&[Inferred, Inferred, Inferred, Inferred], Observed),
        (&[Inferred, Observed], Observed),
        (&[Observed, Inferred], Observed),
        (&[Template, Template, Template], Template),
        // What was declared becomes more by being seen.
        (&[Template, Inferred], Inferred),
        (&[Template, Inferred, Inferred], Observed),
        (&[Template, Inferred, Inferred, Inferred], Observed),
        (&[Template, Observed], Observed),
        (&[Template, Manual], Manual),
        (&[Inferred, Template], Inferred),
        (&[Inferred, Inferred, Template, Template], Inferred),
        (&[Inferred, Inferred, Template, Inferred], Observed),
        (&[Manual, Template], Manual),
    ] {
        let said: Vec<_> = said.iter().map(|&source| (Sequence, source)).collect();
        assert_eq!(after(backend, &said).await.source, expected, "{said:?}");
    }
}

pub(crate) async fn keep_the_strongest_of_what_was_said(backend: &Backend) {
    use EdgeKind::{Alternative, Contains, Dependency, Sequence};
    for source in [EdgeSource::Inferred, EdgeSource::Template] {
        for (said, expected) in [
            ([Sequence, Dependency], Dependency),
            ([Dependency, Sequence], Dependency),
            ([Sequence, Alternative], Alternative),
            ([Contains, Alternative], Contains),
        ] {
            let said = said.map(|kind| (kind, source));
            assert_eq!(after(backend, &said).await.kind, expected, "{said:?}");
        }
    }
}

pub(crate) async fn what_a_person_states_stands(backend: &Backend) {
    use EdgeKind::{Contains, Dependency, Sequence};
    use EdgeSource::{Manual, Observed, Template};
    for said in [
        [(Dependency, Observed), (Sequence, Manual)],
        [(Dependency, Template), (Sequence, Manual)],
        [(Sequence, Manual), (Dependency, Observed)],
        [(Sequence, Manual), (Dependency, Template)],
        [(Contains, Manual), (Sequence, Manual)],
    ] {
        let made = after(backend, &said).await;
        assert_eq!((made.kind, made.source), (Sequence, Manual), "{said:?}");
    }
}

pub(crate) async fn have_two_ends_that_are_there(backend: &Backend) {
    let (store, [a, ..]) = with_three(backend).await;
    let add = async |from: &Node, to: &Node| {
        let new = edge(from, to, EdgeKind::Sequence, EdgeSource::Manual);
        store.add_edge(&ann(), new).await.unwrap_err()
    };
    let missing = code(&fqdn("local.default.issue.exec_x.x"));
    let not_found = StoreError::NotFound(missing.to_string());
    assert_eq!(add(&a, &missing).await, not_found);
    assert_eq!(add(&missing, &a).await, not_found);
    assert!(matches!(add(&a, &a).await, StoreError::Refused(_)));
    assert_eq!(edges_of(&*store, &ann(), &a).await, []);
}

pub(crate) async fn go_with_their_ends(backend: &Backend) {
    let (store, [a, b, c]) = with_three(backend).await;
    for (from, to) in [(&a, &b), (&b, &c), (&c, &a)] {
        let new = edge(from, to, EdgeKind::Sequence, EdgeSource::Manual);
        store.add_edge(&ann(), new).await.unwrap();
    }
    store.delete(b.code().unwrap()).await.unwrap();
    let left = edges_of(&*store, &ann(), &a).await;
    assert_eq!(left.len(), 1);
    assert_eq!((&left[0].from, &left[0].to), (&c, &a));
    // They do not come back with the code.
    let again = store.register(new("b")).await.unwrap();
    assert_eq!(code(&again.record.fqdn), b);
    assert_eq!(edges_of(&*store, &ann(), &b).await, []);
}

/// What is related in one scope says nothing of the same code in another, or of somebody else's.
pub(crate) async fn are_of_one_record(backend: &Backend) {
    let (store, [a, b, _]) = with_three(backend).await;
    let new = edge(&a, &b, EdgeKind::Contains, EdgeSource::Manual);
    store.add_edge(&ann(), new).await.unwrap();
    for who in [bob(), viewer("acme.web", "ann")] {
        let theirs = store.register(new_by(&who, "a")).await.unwrap().record;
        assert_eq!(edges_of(&*store, &who, &code(&theirs.fqdn)).await, []);
        store.delete(&theirs.fqdn).await.unwrap();
    }
    assert_eq!(edges_of(&*store, &ann(), &a).await.len(), 1);
}

pub(crate) async fn may_lead_both_ways(backend: &Backend) {
    let (store, [a, b, _]) = with_three(backend).await;
    let there = edge(&a, &b, EdgeKind::Contains, EdgeSource::Manual);
    let there = store.add_edge(&ann(), there).await.unwrap().edge;
    let back = edge(&b, &a, EdgeKind::Sequence, EdgeSource::Inferred);
    let back = store.add_edge(&ann(), back).await.unwrap().edge;
    assert_eq!(
        edges_of(&*store, &ann(), &a).await,
        [there.clone(), back.clone()]
    );
    assert_eq!(edges_of(&*store, &ann(), &b).await, [back, there]);
}

/// Code, cards, tools and skills alike.
pub(crate) async fn are_between_everything(backend: &Backend) {
    let (store, [a, b, _]) = with_three(backend).await;
    let nodes = [a, b, card("issue.view"), card("files.read"), card("triage")];
    let mut all = Vec::new();
    for from in &nodes {
        for to in nodes.iter().filter(|to| *to != from) {
            let ends = (from, to);
            let added = state(
                &*store,
                &ann(),
                ends,
                EdgeKind::Sequence,
                EdgeSource::Manual,
            )
            .await;
            assert_eq!((&added.edge.from, &added.edge.to), ends);
            assert_eq!(added.edge.created_at, 1000);
            all.push(added.edge);
        }
    }
    all.sort_by_key(|it| (it.from.to_string(), it.to.to_string()));
    assert_eq!(store.all_edges(&ann(), None).await, Ok(all));
    for node in &nodes {
        assert_eq!(store.count_edges(&ann(), node).await, Ok(8));
        let from = store.edges(&ann(), node, Direction::From).await.unwrap();
        assert!(from.len() == 4 && from.iter().all(|it| it.from == *node));
        assert!(from.is_sorted_by_key(|it| it.to.to_string()));
        let to = store.edges(&ann(), node, Direction::To).await.unwrap();
        assert!(to.len() == 4 && to.iter().all(|it| it.to == *node));
        assert!(to.is_sorted_by_key(|it| it.from.to_string()));
        let both = store.edges(&ann(), node, Direction::Both).await.unwrap();
        assert_eq!(both, [from, to].concat());
    }
    let unknown = card("nobody.knows");
    assert_eq!(store.count_edges(&ann(), &unknown).await, Ok(0));
    assert_eq!(edges_of(&*store, &ann(), &unknown).await, []);
    let itself = edge(&nodes[2], &nodes[2], EdgeKind::Sequence, EdgeSource::Manual);
    let error = store.add_edge(&ann(), itself).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`issue.view` cannot be related to itself: name two capabilities"
    );
}

pub(crate) async fn are_listed_above_a_confidence(backend: &Backend) {
    let store = backend.open();
    let mut expected = Vec::new();
    for kind in EdgeKind::ALL {
        for source in EdgeSource::ALL {
            let to = card(&format!("{}.{}", kind.as_str(), source.as_str()));
            let ends = (&card("a"), &to);
            let edge = state(&*store, &ann(), ends, kind, source).await.edge;
            assert_eq!(edge.confidence(), kind.confidence(source));
            expected.push(edge);
        }
    }
    expected.sort_by_key(|it| it.to.to_string());
    for above in [-1.0, 0.0, 0.25, 0.3, 0.35, 0.4, 0.5, 0.7, 0.8, 0.99, 1.0] {
        let found = store.all_edges(&ann(), Some(above)).await.unwrap();
        let mut sure = expected.clone();
        sure.retain(|it| it.confidence() > above);
        assert_eq!(found, sure, "{above}");
    }
    let all = store.all_edges(&ann(), None).await.unwrap();
    assert_eq!(all, expected);
    // What the graph has no use for: a declared sequence, and a declared alternative.
    let weak = store.all_edges(&ann(), Some(0.3)).await.unwrap();
    assert_eq!(all.len() - weak.len(), 2);
}

pub(crate) async fn tell_what_kind_they_were(backend: &Backend) {
    use EdgeKind::{Contains, Dependency, Sequence};
    use EdgeSource::{Inferred, Manual, Template};
    let (store, [a, b, _]) = with_three(backend).await;
    let steps = [
        ((Sequence, Inferred), (Sequence, Inferred), None),
        (
            (Dependency, Inferred),
            (Dependency, Inferred),
            Some(Sequence),
        ),
        ((Contains, Template), (Dependency, Inferred), None),
        ((Contains, Manual), (Contains, Manual), Some(Dependency)),
        ((Dependency, Inferred), (Contains, Manual), None),
        ((Sequence, Manual), (Sequence, Manual), Some(Contains)),
    ];
    for (step, (said, expected, replaced)) in steps.into_iter().enumerate() {
        let added = state(&*store, &ann(), (&a, &b), said.0, said.1).await;
        assert_eq!(added.is_new, step == 0, "{said:?}");
        assert_eq!((added.edge.kind, added.edge.source), expected, "{said:?}");
        assert_eq!(added.replaced, replaced, "{said:?}");
    }
}

/// What is declared takes the place of what is known only if it is surer.
pub(crate) async fn are_declared_where_that_is_surer(backend: &Backend) {
    use EdgeKind::{Contains, Dependency, Sequence};
    use EdgeSource::{Inferred, Observed, Template};
    for (known, said, expected) in [
        ((Sequence, Observed), Contains, (Sequence, Observed)),
        ((Sequence, Observed), Dependency, (Sequence, Observed)),
        ((Sequence, Inferred), Contains, (Contains, Template)),
        ((Contains, Inferred), Dependency, (Contains, Inferred)),
        ((Sequence, Template), Dependency, (Dependency, Template)),
        ((Dependency, Template), Sequence, (Dependency, Template)),
    ] {
        let made = after(backend, &[known, (said, Template)]).await;
        assert_eq!((made.kind, made.source), expected, "{known:?} {said:?}");
    }
    let (store, [a, b, _]) = with_three(backend).await;
    let often = vec![seen(&a, &b, Sequence, 4)];
    learn(&*store, &ann(), 1, often).await;
    let added = state(&*store, &ann(), (&a, &b), Contains, Template).await;
    let edge = &added.edge;
    assert_eq!(
        (edge.kind, edge.source, edge.observed),
        (Sequence, Observed, 4)
    );
    assert_eq!((added.replaced, added.cycle), (None, None));
}

/// A relation is as sure as it is shown to be, for everybody who compares.
pub(crate) async fn are_as_sure_as_they_are_shown(backend: &Backend) {
    let (store, [a, b, _]) = with_three(backend).await;
    for kind in EdgeKind::ALL {
        for source in EdgeSource::ALL {
            let made = after(backend, &[(kind, source)]).await;
            store.register(new("a")).await.unwrap();
            let made = state(&*store, &ann(), (&a, &b), kind, source).await.edge == made;
            assert!(made);
            let exact = kind.confidence(source);
            let shown: f64 = format!("{exact:.2}").parse().unwrap();
            assert_eq!(exact.to_bits(), shown.to_bits(), "{kind:?} {source:?}");
            // Not above what it is, and above everything below.
            let above = async |least| store.all_edges(&ann(), Some(least)).await.unwrap().len();
            assert_eq!(above(shown).await, 0, "{kind:?} {source:?}");
            assert_eq!(above(shown.next_down()).await, 1, "{kind:?} {source:?}");
            store.delete(a.code().unwrap()).await.unwrap();
        }
    }
}

/// Whoever's clock is wrong: from the first time to the last.
pub(crate) async fn keep_their_times(backend: &Backend) {
    let (store, [a, b, _]) = with_three(backend).await;
    let mut times = Vec::new();
    for (at, source) in [
        (2000, EdgeSource::Inferred),
        (3000, EdgeSource::Inferred),
        // No observation.
        (9000, EdgeSource::Template),
        (1000, EdgeSource::Manual),
    ] {
        let new = edge(&a, &b, EdgeKind::Sequence, source);
        let added = store.add_edge(&ann(), NewEdge { at, ..new }).await.unwrap();
        times.push((added.edge.created_at, added.edge.last_observed));
    }
    assert_eq!(
        times,
        [(2000, 2000), (2000, 3000), (2000, 3000), (1000, 3000)]
    );
}

pub(crate) async fn can_be_removed(backend: &Backend) {
    let (store, [a, b, _]) = with_three(backend).await;
    let c = card("issue.view");
    for ends in [(&a, &b), (&b, &a), (&a, &c), (&c, &a)] {
        let kind = EdgeKind::Contains;
        state(&*store, &ann(), ends, kind, EdgeSource::Manual).await;
    }
    for (from, to) in [(&a, &b), (&c, &a)] {
        assert_eq!(store.remove_edge(&ann(), from, to).await, Ok(()));
        assert_eq!(store.edge(&ann(), from, to).await, Ok(None));
        let again = store.remove_edge(&ann(), from, to).await;
        let what = format!("{from} → {to}");
        assert_eq!(again, Err(StoreError::NotFound(what)));
    }
    let left = store.all_edges(&ann(), None).await.unwrap();
    let left: Vec<_> = left.iter().map(|it| (&it.from, &it.to)).collect();
    assert_eq!(left, [(&a, &c), (&b, &a)]);
    // What a person says of two holds for all who see them, whoever taught it.
    let d = card("pr.list");
    let of_bob = vec![seen(&c, &d, EdgeKind::Sequence, 1)];
    learn(&*store, &bob(), 1, of_bob).await;
    assert_eq!(store.remove_edge(&ann(), &c, &d).await, Ok(()));
    assert_eq!(store.edge(&bob(), &c, &d).await, Ok(None));
    // It may be stated and learned again, and nothing of before is in it.
    let again = state(
        &*store,
        &ann(),
        (&a, &b),
        EdgeKind::Sequence,
        EdgeSource::Inferred,
    )
    .await;
    assert_eq!((again.edge.observed, again.replaced), (1, None));
    learn(
        &*store,
        &ann(),
        5000,
        vec![seen(&c, &a, EdgeKind::Sequence, 1)],
    )
    .await;
    let (learned, why) = store.edge(&ann(), &c, &a).await.unwrap().unwrap();
    assert_eq!((learned.observed, learned.created_at), (1, 5000));
    assert_eq!(why.len(), 1);
}
