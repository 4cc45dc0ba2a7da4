//! Forgetting.

use capstan_core::code::{EdgeKind, EdgeSource};
use capstan_core::port::{Filter, StoreError};

use super::*;

pub(crate) async fn everything_of_a_record_is_gone(backend: &Backend) {
    let store = backend.open();
    let made = named(&*store, new("a"), "x").await;
    let other = store.register(new("b")).await.unwrap();
    let between = edge(
        &made.pattern.id,
        &other.pattern.id,
        EdgeKind::Sequence,
        EdgeSource::Manual,
    );
    store.add_edge(between).await.unwrap();
    let fqdn = &made.record.fqdn;
    store.delete(fqdn).await.unwrap();

    for name in ["x", "unnamed_a0000000", "exec_a0000000", fqdn.as_str()] {
        assert_eq!(meaning(&*store, &ann(), name).await, Meaning::Nothing);
    }
    let not_found = StoreError::NotFound(fqdn.to_string());
    assert_eq!(store.history(fqdn).await, Err(not_found));
    assert_eq!(store.edges(&other.pattern.id).await, Ok(vec![]));
    assert_eq!(listed(&*store, &ann(), Filter::default()).await.len(), 1);

    // Its names are free again, and its code is new again.
    store
        .rename(&other.record.fqdn, &name("x"), 1)
        .await
        .unwrap();
    let again = store.register(new("a")).await.unwrap();
    assert_eq!(again.record.statistics.usage_count, 1);
    assert_eq!(store.history(fqdn).await.unwrap().len(), 1);
}

pub(crate) async fn the_pattern_stays_while_another_scope_has_it(backend: &Backend) {
    let store = backend.open();
    let here = store.register(new("a")).await.unwrap();
    let there = store.register(new_in("acme.web", "a")).await.unwrap();
    store.delete(&here.record.fqdn).await.unwrap();
    let (scope, hash) = (scope("acme.web"), hash("a"));
    let found = store.by_hash(&scope, &hash).await.unwrap();
    assert_eq!(found.unwrap(), there);
    store.delete(&there.record.fqdn).await.unwrap();
    assert_eq!(store.by_hash(&scope, &hash).await, Ok(None));
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
    let fqdn = store.register(new("a")).await.unwrap().record.fqdn;
    let kept = trace(1000, &[]);
    let used = used(true, 1.0, 1000);
    store
        .record_use(&fqdn, used, Some(kept.clone()))
        .await
        .unwrap();
    store.delete(&fqdn).await.unwrap();
    let found = store.trace(kept.id.as_str()).await.unwrap().unwrap();
    assert_eq!(found.capability.as_deref(), Some(fqdn.as_str()));
}
