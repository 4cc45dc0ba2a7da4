//! Who sees what.

use capstan_core::code::{EventKind, Visibility};
use capstan_core::port::{CodeFilter, StoreError};

use super::*;

pub(crate) async fn is_changed_and_told(backend: &Backend) {
    let store = backend.open();
    let before = store.register(new("a")).await.unwrap().record;
    let fqdn = &before.fqdn;
    let same = store.set_visibility(fqdn, Visibility::Private, 2000).await;
    assert_eq!(same.unwrap(), before);
    let org = store
        .set_visibility(fqdn, Visibility::Org, 3000)
        .await
        .unwrap();
    assert_eq!(org.visibility, Visibility::Org);
    assert_eq!(org.updated_at, 3000);
    let events = store.history(fqdn).await.unwrap();
    assert_eq!(events.len(), 2);
    assert_eq!(events[1].kind, EventKind::Shared);
    assert_eq!(events[1].what, "private → org");
}

/// What is listed and what is found is what `Viewer::sees`.
pub(crate) async fn decides_what_is_seen(backend: &Backend) {
    let store = backend.open();
    let mut all = Vec::new();
    for (place, visibility) in Visibility::ALL.into_iter().enumerate() {
        let fqdn = store
            .register(new(&place.to_string()))
            .await
            .unwrap()
            .record
            .fqdn;
        all.push(store.set_visibility(&fqdn, visibility, 1).await.unwrap());
    }
    let mut counts = Vec::new();
    for scope in ["local.default", "local.other", "acme.default"] {
        for user in ["ann", "bob"] {
            let viewer = viewer(scope, user);
            let seen: Vec<_> = all.iter().filter(|it| viewer.sees(it)).collect();
            let found = store.list(&viewer, &CodeFilter::default()).await.unwrap();
            assert_eq!(found.iter().map(|it| &it.record).collect::<Vec<_>>(), seen);
            for record in &all {
                for name in [record.fqdn.as_str(), record.name.as_str(), &record.action] {
                    let found = meaning(&*store, &viewer, name).await != Meaning::Nothing;
                    assert_eq!(found, viewer.sees(record), "{name} for {viewer:?}");
                }
            }
            counts.push(seen.len());
        }
    }
    assert_eq!(counts, [4, 3, 2, 2, 1, 1]);
}

pub(crate) async fn what_is_not_there_cannot_be_shared(backend: &Backend) {
    let missing = fqdn("local.default.issue.exec_a.b");
    let store = backend.open();
    let error = store.set_visibility(&missing, Visibility::Org, 1).await;
    assert_eq!(error, Err(StoreError::NotFound(missing.to_string())));
}
