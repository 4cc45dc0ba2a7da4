//! Relations between capabilities.

use capstan_core::code::{EdgeKind, EdgeSource, Fqdn};
use capstan_core::port::{Edge, Store, StoreError};

use super::*;

/// A store with three capabilities.
async fn with_three(backend: &Backend) -> (std::sync::Arc<dyn Store>, [Fqdn; 3]) {
    let store = backend.open();
    for beginning in ["a", "b", "c"] {
        store.register(new(beginning)).await.unwrap();
    }
    let called = |digit: &str| {
        fqdn(&format!(
            "local.default.issue.exec_{digit}0000000.{digit}000"
        ))
    };
    (store, ["a", "b", "c"].map(called))
}

/// What the first two are to each other after all of this was said.
async fn after(backend: &Backend, said: &[(EdgeKind, EdgeSource)]) -> Edge {
    let (store, [a, b, _]) = with_three(backend).await;
    let mut last = None;
    for &(kind, source) in said {
        last = Some(store.add_edge(edge(&a, &b, kind, source)).await.unwrap());
    }
    let last = last.unwrap();
    assert_eq!(store.edges(&a).await, Ok(vec![last.clone()]));
    assert_eq!(last.observed, said.len() as u64);
    assert_eq!(last.confidence, last.kind.confidence(last.source));
    // So that the next is the first again.
    store.delete(&a).await.unwrap();
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
    let made = store.add_edge(new).await.unwrap();
    for end in [&a, &b] {
        assert_eq!(store.edges(end).await, Ok(vec![made.clone()]));
    }
    assert_eq!(store.edges(&c).await, Ok(vec![]));
    let unknown = fqdn("local.default.issue.exec_x.x");
    assert_eq!(store.edges(&unknown).await, Ok(vec![]));
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
    let (store, [a, ..]) = with_three(backend).await;
    let add = async |from: &Fqdn, to: &Fqdn| {
        let new = edge(from, to, EdgeKind::Sequence, EdgeSource::Manual);
        store.add_edge(new).await.unwrap_err()
    };
    let missing = fqdn("local.default.issue.exec_x.x");
    let not_found = StoreError::NotFound(missing.to_string());
    assert_eq!(add(&a, &missing).await, not_found);
    assert_eq!(add(&missing, &a).await, not_found);
    assert!(matches!(add(&a, &a).await, StoreError::Refused(_)));
    assert_eq!(store.edges(&a).await, Ok(vec![]));
}

pub(crate) async fn go_with_their_ends(backend: &Backend) {
    let (store, [a, b, c]) = with_three(backend).await;
    for (from, to) in [(&a, &b), (&b, &c), (&c, &a)] {
        let new = edge(from, to, EdgeKind::Sequence, EdgeSource::Manual);
        store.add_edge(new).await.unwrap();
    }
    store.delete(&b).await.unwrap();
    let left = store.edges(&a).await.unwrap();
    assert_eq!(left.len(), 1);
    assert_eq!((&left[0].from, &left[0].to), (&c, &a));
    // They do not come back with the code.
    assert_eq!(store.register(new("b")).await.unwrap().record.fqdn, b);
    assert_eq!(store.edges(&b).await, Ok(vec![]));
}

/// What is related in one scope says nothing of the same code in another, or of somebody else's.
pub(crate) async fn are_of_one_record(backend: &Backend) {
    let (store, [a, b, _]) = with_three(backend).await;
    let new = edge(&a, &b, EdgeKind::Contains, EdgeSource::Manual);
    store.add_edge(new).await.unwrap();
    for who in [bob(), viewer("acme.web", "ann")] {
        let theirs = store.register(new_by(&who, "a")).await.unwrap().record;
        assert_eq!(store.edges(&theirs.fqdn).await, Ok(vec![]));
        store.delete(&theirs.fqdn).await.unwrap();
    }
    assert_eq!(store.edges(&a).await.unwrap().len(), 1);
}

pub(crate) async fn may_lead_both_ways(backend: &Backend) {
    let (store, [a, b, _]) = with_three(backend).await;
    let there = edge(&a, &b, EdgeKind::Contains, EdgeSource::Manual);
    let there = store.add_edge(there).await.unwrap();
    let back = edge(&b, &a, EdgeKind::Sequence, EdgeSource::Inferred);
    let back = store.add_edge(back).await.unwrap();
    assert_eq!(store.edges(&a).await, Ok(vec![there.clone(), back.clone()]));
    assert_eq!(store.edges(&b).await, Ok(vec![back, there]));
}
