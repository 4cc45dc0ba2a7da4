//! Relations between patterns.

use capstan_core::code::{EdgeKind, EdgeSource};
use capstan_core::port::{Edge, Store, StoreError};

use super::*;

const A: &str = "exec_a0000000";
const B: &str = "exec_b0000000";

async fn with_patterns(backend: &Backend) -> std::sync::Arc<dyn Store> {
    let store = backend.open();
    for beginning in ["a", "b", "c"] {
        store.register(new(beginning)).await.unwrap();
    }
    store
}

/// What A and B are to each other after all of this was said.
async fn after(backend: &Backend, said: &[(EdgeKind, EdgeSource)]) -> Edge {
    let store = with_patterns(backend).await;
    let mut last = None;
    for &(kind, source) in said {
        last = Some(store.add_edge(edge(A, B, kind, source)).await.unwrap());
    }
    let last = last.unwrap();
    assert_eq!(store.edges(A).await, Ok(vec![last.clone()]));
    assert_eq!(last.observed, said.len() as u64);
    assert_eq!(last.confidence, last.kind.confidence(last.source));
    // So that the next is the first again.
    let from = store.register(new("a")).await.unwrap().record.fqdn;
    store.delete(&from).await.unwrap();
    last
}

pub(crate) async fn are_seen_from_both_ends(backend: &Backend) {
    let store = with_patterns(backend).await;
    for kind in EdgeKind::ALL {
        for source in EdgeSource::ALL {
            let made = after(backend, &[(kind, source)]).await;
            assert_eq!((made.kind, made.source), (kind, source));
        }
    }
    store.register(new("a")).await.unwrap();
    let new = edge(A, B, EdgeKind::Contains, EdgeSource::Inferred);
    let made = store.add_edge(new).await.unwrap();
    for end in [A, B] {
        assert_eq!(store.edges(end).await, Ok(vec![made.clone()]));
    }
    assert_eq!(store.edges("exec_c0000000").await, Ok(vec![]));
    assert_eq!(store.edges("unknown").await, Ok(vec![]));
}

pub(crate) async fn are_counted_and_become_observed(backend: &Backend) {
    use EdgeKind::Sequence;
    use EdgeSource::{Inferred, Observed, Template};
    for (said, expected) in [
        (&[Inferred, Inferred][..], Inferred),
        (&[Inferred, Inferred, Inferred], Observed),
        (&[Inferred, Inferred, Inferred, Inferred], Observed),
        (&[Inferred, Observed], Observed),
        (&[Observed, Inferred], Observed),
        (&[Template, Template, Template], Template),
        (&[Template, Inferred], Inferred),
        (&[Inferred, Template], Inferred),
    ] {
        let said: Vec<_> = said.iter().map(|&source| (Sequence, source)).collect();
        assert_eq!(after(backend, &said).await.source, expected, "{said:?}");
    }
}

pub(crate) async fn keep_the_strongest_of_what_was_said(backend: &Backend) {
    use EdgeKind::{Alternative, Contains, Dependency, Sequence};
    let source = EdgeSource::Inferred;
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

pub(crate) async fn what_a_person_states_stands(backend: &Backend) {
    use EdgeKind::{Contains, Dependency, Sequence};
    use EdgeSource::{Manual, Observed};
    for said in [
        [(Dependency, Observed), (Sequence, Manual)],
        [(Sequence, Manual), (Dependency, Observed)],
        [(Contains, Manual), (Sequence, Manual)],
    ] {
        let made = after(backend, &said).await;
        assert_eq!((made.kind, made.source), (Sequence, Manual), "{said:?}");
    }
}

pub(crate) async fn have_two_ends_that_are_there(backend: &Backend) {
    let store = with_patterns(backend).await;
    let add = async |from: &str, to: &str| {
        let new = edge(from, to, EdgeKind::Sequence, EdgeSource::Manual);
        store.add_edge(new).await.unwrap_err()
    };
    let not_found = StoreError::NotFound("exec_x".to_owned());
    assert_eq!(add(A, "exec_x").await, not_found);
    assert_eq!(add("exec_x", A).await, not_found);
    assert!(matches!(add(A, A).await, StoreError::Refused(_)));
    assert_eq!(store.edges(A).await, Ok(vec![]));
}

pub(crate) async fn go_with_their_pattern(backend: &Backend) {
    let store = with_patterns(backend).await;
    let new = edge(A, B, EdgeKind::Sequence, EdgeSource::Manual);
    store.add_edge(new).await.unwrap();
    let gone = meaning(&*store, &ann(), B).await;
    let Meaning::One(fqdn, _) = gone else {
        panic!("{gone:?}")
    };
    store.delete(&fqdn).await.unwrap();
    assert_eq!(store.edges(A).await, Ok(vec![]));
}

pub(crate) async fn may_lead_both_ways(backend: &Backend) {
    let store = with_patterns(backend).await;
    let there = edge(A, B, EdgeKind::Contains, EdgeSource::Manual);
    let there = store.add_edge(there).await.unwrap();
    let back = edge(B, A, EdgeKind::Sequence, EdgeSource::Inferred);
    let back = store.add_edge(back).await.unwrap();
    assert_eq!(store.edges(A).await, Ok(vec![there.clone(), back.clone()]));
    assert_eq!(store.edges(B).await, Ok(vec![back, there]));
}
