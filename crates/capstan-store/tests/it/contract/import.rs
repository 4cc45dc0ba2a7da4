//! Capabilities from elsewhere.

use capstan_core::code::{EventKind, Statistics, Visibility};
use capstan_core::port::{CodeFilter, Exported, Imported, StoreError};

use super::*;

pub(crate) async fn takes_everything_over(backend: &Backend) {
    let store = backend.open();
    let item = Exported {
        aliases: ["uno", "one", "uno"].map(name).to_vec(),
        ..exported("a", "one")
    };
    let who = viewer("acme.web", "bob");
    let items = vec![item.clone(), exported("b", "two")];
    let imported = store.import(&who, items, 7000).await.unwrap();
    let first = Imported {
        fqdn: fqdn("acme.web.issue.exec_a0000000.a000"),
        name: name("one"),
        known: false,
    };
    assert_eq!(imported.len(), 2);
    assert_eq!(imported[0], first);

    let found = known(&*store, &who, &item.hash).await.unwrap();
    assert_eq!(found.record.aliases, [name("uno")]);
    assert_eq!(found.record.visibility, Visibility::Project);
    assert_eq!(found.record.owner, "bob");
    assert_eq!(found.record.statistics, Statistics::default());
    assert_eq!(found.record.created_at, 7000);
    assert_eq!(found.pattern.code, item.code);
    assert_eq!(found.pattern.intent, item.intent);
    assert_eq!(found.pattern.parameters, item.parameters);
    assert_eq!(found.pattern.calls, item.calls);
    let events = store.history(&first.fqdn).await.unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].kind, EventKind::Imported);
}

pub(crate) async fn keeps_what_is_known(backend: &Backend) {
    let store = backend.open();
    let before = named(&*store, new("a"), "mine").await;
    let items = vec![exported("a", "yours"), exported("b", "mine-too")];
    let imported = store.import(&ann(), items, 1).await.unwrap();
    assert_eq!(imported[0].name, name("mine"));
    assert_eq!(imported[0].fqdn, before.record.fqdn);
    assert_eq!([imported[0].known, imported[1].known], [true, false]);
    assert_eq!(known(&*store, &ann(), &hash("a")).await, Some(before));
    assert_eq!(meaning(&*store, &ann(), "yours").await, Meaning::Nothing);
}

pub(crate) async fn keeps_what_others_shared(backend: &Backend) {
    let store = backend.open();
    let fqdn = named(&*store, new("a"), "hers").await.record.fqdn;
    store
        .set_visibility(&fqdn, Visibility::Project, 1)
        .await
        .unwrap();
    let before = known(&*store, &ann(), &hash("a")).await;
    let items = vec![exported("a", "yours")];
    let imported = store.import(&bob(), items, 1).await.unwrap();
    let expected = Imported {
        fqdn,
        name: name("hers"),
        known: true,
    };
    assert_eq!(imported, [expected]);
    assert_eq!(known(&*store, &bob(), &hash("a")).await, before);
}

pub(crate) async fn a_taken_name_stops_all_of_it(backend: &Backend) {
    let store = backend.open();
    let scope = named(&*store, new("a"), "taken").await.record.scope;
    let items = vec![exported("b", "free"), exported("c", "taken")];
    let error = store.import(&bob(), items, 1).await.unwrap_err();
    let name = "taken".to_owned();
    assert_eq!(error, StoreError::NameTaken { name, scope });
    assert_eq!(known(&*store, &bob(), &hash("b")).await, None);
    assert_eq!(
        listed(&*store, &ann(), CodeFilter::default()).await,
        ["taken"]
    );

    // Two that come together can be in each other's way.
    let items = vec![exported("b", "same"), exported("c", "same")];
    let error = store.import(&bob(), items, 1).await.unwrap_err();
    assert!(matches!(error, StoreError::NameTaken { .. }));
    assert_eq!(known(&*store, &bob(), &hash("b")).await, None);
}

pub(crate) async fn a_taken_alias_stops_all_of_it(backend: &Backend) {
    let store = backend.open();
    named(&*store, new("a"), "taken").await;
    for alias in ["taken", "unnamed_a0000000"] {
        let item = Exported {
            aliases: vec![name(alias)],
            ..exported("b", "free")
        };
        let error = store.import(&bob(), vec![item], 1).await.unwrap_err();
        assert!(matches!(error, StoreError::NameTaken { .. }));
    }
    assert_eq!(known(&*store, &bob(), &hash("b")).await, None);
}

pub(crate) async fn a_generated_name_gives_way(backend: &Backend) {
    let store = backend.open();
    named(&*store, new("b"), "unnamed_a0000000").await;
    let items = vec![exported("a", "unnamed_a0000000")];
    let imported = store.import(&bob(), items, 1).await.unwrap();
    assert_eq!(imported[0].name, name("unnamed_a00000000000"));
}

pub(crate) async fn the_same_code_twice_is_one(backend: &Backend) {
    let store = backend.open();
    let items = vec![exported("a", "one"), exported("a", "two")];
    let imported = store.import(&bob(), items, 1).await.unwrap();
    assert_eq!(imported[0].fqdn, imported[1].fqdn);
    assert_eq!([imported[0].known, imported[1].known], [false, true]);
    assert_eq!(imported[1].name, name("one"));
    assert_eq!(store.import(&bob(), vec![], 1).await, Ok(vec![]));
}

pub(crate) async fn a_bad_namespace_is_refused(backend: &Backend) {
    let store = backend.open();
    let bad = Exported {
        namespace: "a.b".to_owned(),
        ..exported("b", "two")
    };
    let items = vec![exported("a", "one"), bad];
    let error = store.import(&bob(), items, 1).await.unwrap_err();
    assert!(matches!(error, StoreError::Refused(_)));
    assert_eq!(known(&*store, &bob(), &hash("a")).await, None);
}
