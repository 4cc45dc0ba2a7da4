//! Deletes records.

use capstan_core::code::{EdgeKind, EdgeSource};
use capstan_core::port::{CodeFilter, NewCapability, StoreError};

use super::*;

pub(crate) async fn everything_of_a_record_is_gone(backend: &Backend) {
    let store = backend.open();
    let made = named(&*store, new("a"), "x").await;
    let other = store.register(new("b")).await.unwrap();
    let (one, two) = (code(&made.record.fqdn), code(&other.record.fqdn));
    let between = edge(&one, &two, EdgeKind::Sequence, EdgeSource::Manual);
    store.add_edge(&ann(), between).await.unwrap();
    let fqdn = &made.record.fqdn;
    store.delete(fqdn).await.unwrap();

    for name in ["x", "unnamed_a0000000", "exec_a0000000", fqdn.as_str()] {
        assert_eq!(meaning(&*store, &ann(), name).await, Meaning::Nothing);
    }
    let not_found = StoreError::NotFound(fqdn.to_string());
    assert_eq!(store.history(fqdn).await, Err(not_found));
    assert_eq!(edges_of(&*store, &ann(), &two).await, []);
    assert_eq!(
        listed(&*store, &ann(), CodeFilter::default()).await.len(),
        1
    );

    // Its names are free again, and its code is new again.
    store
        .rename(&other.record.fqdn, &name("x"), 1)
        .await
        .unwrap();
    let again = store.register(new("a")).await.unwrap();
    assert_eq!(again.record.statistics.usage_count, 1);
    assert_eq!(store.history(fqdn).await.unwrap().len(), 1);
}

pub(crate) async fn relations_go_with_what_they_were_learned_from(backend: &Backend) {
    let store = backend.open();
    let mut names = Vec::new();
    for beginning in ["a", "b"] {
        let made = store.register(new(beginning)).await.unwrap();
        names.push(code(&made.record.fqdn));
    }
    let (a, b) = (&names[0], &names[1]);
    let [view, list] = ["issue.view", "pr.list"].map(card);
    let contains = EdgeKind::Contains;
    let everything = || {
        vec![
            seen(a, b, contains, 1),
            seen(a, &view, contains, 1),
            seen(&list, a, contains, 1),
            seen(&view, &list, contains, 1),
            seen(b, &view, contains, 1),
        ]
    };
    learn(&*store, &ann(), 1, everything()).await;
    store.delete(a.code().unwrap()).await.unwrap();
    assert_eq!(edges_of(&*store, &ann(), a).await, []);
    let left = store.all_edges(&ann(), None).await.unwrap();
    let left: Vec<_> = left.iter().map(|it| (&it.from, &it.to)).collect();
    assert_eq!(left, [(&view, &list), (b, &view)]);

    // When the code comes again, it is as if it had never been there.
    store.register(new("a")).await.unwrap();
    assert_eq!(edges_of(&*store, &ann(), a).await, []);
    learn(&*store, &ann(), 2, everything()).await;
    let (edge, why) = store.edge(&ann(), a, &view).await.unwrap().unwrap();
    assert_eq!((edge.observed, why.len()), (1, 1));
}

pub(crate) async fn the_same_code_elsewhere_stays(backend: &Backend) {
    let store = backend.open();
    let here = store.register(new("a")).await.unwrap();
    let there = store.register(new_in("acme.web", "a")).await.unwrap();
    store.delete(&here.record.fqdn).await.unwrap();
    let far = viewer("acme.web", "ann");
    let found = known(&*store, &far, &hash("a")).await;
    assert_eq!(found.as_ref(), Some(&there));
    store.delete(&there.record.fqdn).await.unwrap();
    assert_eq!(known(&*store, &far, &hash("a")).await, None);
}

pub(crate) async fn what_is_not_there_is_not_found(backend: &Backend) {
    let store = backend.open();
    let fqdn = store.register(new("a")).await.unwrap().record.fqdn;
    store.delete(&fqdn).await.unwrap();
    let error = store.delete(&fqdn).await.unwrap_err();
    assert_eq!(error.to_string(), format!("Capability not found: {fqdn}"));
}

pub(crate) async fn traces_stay(backend: &Backend) {
    let store = backend.open();
    let kept = trace(1000, &[]);
    let new = NewCapability {
        trace: Some(kept.clone()),
        ..new("a")
    };
    let fqdn = store.register(new).await.unwrap().record.fqdn;
    store.delete(&fqdn).await.unwrap();
    let found = store.trace(&ann(), kept.id.as_str()).await.unwrap();
    assert_eq!(found.unwrap().capability.as_deref(), Some(fqdn.as_str()));
}
