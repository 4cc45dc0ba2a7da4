//! Display names and aliases.

use capstan_core::code::EventKind;
use capstan_core::port::StoreError;

use super::*;

pub(crate) async fn the_old_name_stays_as_an_alias(backend: &Backend) {
    let store = backend.open();
    let fqdn = store.register(new("a")).await.unwrap().record.fqdn;
    let record = store.rename(&fqdn, &name("reader"), 2000).await.unwrap();
    assert_eq!(record.fqdn, fqdn);
    assert_eq!(record.name, name("reader"));
    assert_eq!(record.aliases, [name("unnamed_a0000000")]);
    assert_eq!((record.created_at, record.updated_at), (1000, 2000));

    let record = store.rename(&fqdn, &name("Reader:2"), 3000).await.unwrap();
    assert_eq!(record.aliases, [name("unnamed_a0000000"), name("reader")]);
    let found = known(&*backend.open(), &ann(), &hash("a")).await;
    assert_eq!(found.unwrap().record, record);
}

pub(crate) async fn an_own_alias_becomes_the_name(backend: &Backend) {
    let store = backend.open();
    let fqdn = named(&*store, new("a"), "one").await.record.fqdn;
    store.rename(&fqdn, &name("two"), 2000).await.unwrap();
    let record = store.rename(&fqdn, &name("one"), 3000).await.unwrap();
    assert_eq!(record.name, name("one"));
    assert_eq!(record.aliases, [name("unnamed_a0000000"), name("two")]);
}

pub(crate) async fn the_same_name_changes_nothing(backend: &Backend) {
    let store = backend.open();
    let before = named(&*store, new("a"), "one").await.record;
    let after = store
        .rename(&before.fqdn, &name("one"), 9000)
        .await
        .unwrap();
    assert_eq!(after, before);
    assert_eq!(store.history(&before.fqdn).await.unwrap().len(), 2);
}

pub(crate) async fn a_taken_name_is_a_conflict(backend: &Backend) {
    let store = backend.open();
    named(&*store, new("a"), "one").await;
    let other = named(&*store, new("b"), "two").await.record;
    let error = store
        .rename(&other.fqdn, &name("one"), 1)
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "Capability name 'one' already exists in scope local.default"
    );
    let error = store
        .add_alias(&other.fqdn, &name("one"), 1)
        .await
        .unwrap_err();
    assert!(matches!(error, StoreError::NameTaken { .. }));
    let found = known(&*store, &ann(), &hash("b")).await;
    assert_eq!(found.unwrap().record, other);
}

pub(crate) async fn a_taken_alias_is_a_conflict(backend: &Backend) {
    let store = backend.open();
    let first = named(&*store, new("a"), "one").await.record.fqdn;
    store.add_alias(&first, &name("uno"), 1).await.unwrap();
    let other = named(&*store, new("b"), "two").await.record.fqdn;
    for taken in ["uno", "unnamed_a0000000"] {
        let taken = name(taken);
        for error in [
            store.rename(&other, &taken, 1).await.unwrap_err(),
            store.add_alias(&other, &taken, 1).await.unwrap_err(),
        ] {
            let (name, scope) = (taken.to_string(), scope("local.default"));
            assert_eq!(error, StoreError::NameTaken { name, scope });
        }
    }
}

pub(crate) async fn another_scope_has_its_own_names(backend: &Backend) {
    let store = backend.open();
    let here = named(&*store, new("a"), "one").await.record;
    let there = named(&*store, new_in("local.other", "a"), "one")
        .await
        .record;
    assert_ne!(here.fqdn, there.fqdn);
    assert_eq!(here.name, there.name);
}

pub(crate) async fn an_alias_is_added_once(backend: &Backend) {
    let store = backend.open();
    let fqdn = named(&*store, new("a"), "one").await.record.fqdn;
    let first = store.add_alias(&fqdn, &name("uno"), 2000).await.unwrap();
    assert_eq!(first.aliases, [name("unnamed_a0000000"), name("uno")]);
    assert_eq!(first.updated_at, 2000);
    for known in ["uno", "one"] {
        let again = store.add_alias(&fqdn, &name(known), 3000).await.unwrap();
        assert_eq!(again, first);
    }
    assert_eq!(store.history(&fqdn).await.unwrap().len(), 3);
}

pub(crate) async fn what_is_not_there_cannot_be_named(backend: &Backend) {
    let store = backend.open();
    let missing = fqdn("local.default.issue.exec_a.b");
    let not_found = Err(StoreError::NotFound(missing.to_string()));
    assert_eq!(store.rename(&missing, &name("x"), 1).await, not_found);
    assert_eq!(store.add_alias(&missing, &name("x"), 1).await, not_found);
}

pub(crate) async fn history_tells_what_happened(backend: &Backend) {
    let store = backend.open();
    let fqdn = store.register(new("a")).await.unwrap().record.fqdn;
    store.rename(&fqdn, &name("one"), 2000).await.unwrap();
    store.add_alias(&fqdn, &name("uno"), 3000).await.unwrap();
    let events = store.history(&fqdn).await.unwrap();
    let told: Vec<_> = events
        .iter()
        .map(|it| (it.at, it.kind, it.what.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (1000, EventKind::Created, "unnamed_a0000000"),
            (2000, EventKind::Renamed, "unnamed_a0000000 → one"),
            (3000, EventKind::Aliased, "uno"),
        ]
    );
}

pub(crate) async fn time_does_not_go_back(backend: &Backend) {
    let store = backend.open();
    let fqdn = store.register(new("a")).await.unwrap().record.fqdn;
    let record = store.rename(&fqdn, &name("one"), 5).await.unwrap();
    assert_eq!(record.updated_at, 1000);
}
