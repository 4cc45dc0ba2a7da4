//! What a name means to somebody.

use capstan_core::code::{Fqdn, Record, Visibility};
use capstan_core::port::{NewCapability, Store, Via, Viewer};

use super::*;

/// A capability with this name and visibility.
async fn shared(store: &dyn Store, new: NewCapability, name: &str, visibility: Visibility) -> Fqdn {
    let fqdn = named(store, new, name).await.record.fqdn;
    store.set_visibility(&fqdn, visibility, 1).await.unwrap();
    fqdn
}

pub(crate) async fn by_id_fqdn_name_and_alias(backend: &Backend) {
    let store = backend.open();
    let made = named(&*store, new("a"), "reader").await;
    let fqdn = made.record.fqdn.clone();
    let one = |via| Meaning::One(fqdn.clone(), via);
    let alias = "unnamed_a0000000";
    for (name, via) in [
        ("exec_a0000000", Via::Id),
        (fqdn.as_str(), Via::Fqdn),
        ("local.default.issue.exec_a0000000", Via::Fqdn),
        ("reader", Via::Name),
        (alias, Via::Alias(alias.to_owned())),
    ] {
        assert_eq!(meaning(&*store, &ann(), name).await, one(via), "{name}");
    }
}

pub(crate) async fn ids_go_before_names(backend: &Backend) {
    let store = backend.open();
    let made = store.register(new("a")).await.unwrap().record.fqdn;
    let other = named(&*store, new("b"), "exec_a0000000").await.record.fqdn;
    let found = meaning(&*store, &ann(), "exec_a0000000").await;
    assert_eq!(found, Meaning::One(made.clone(), Via::Id));
    // What is hidden stands in nobody's way.
    store
        .set_visibility(&other, Visibility::Project, 1)
        .await
        .unwrap();
    let found = meaning(&*store, &bob(), "exec_a0000000").await;
    assert_eq!(found, Meaning::One(other, Via::Name));
}

pub(crate) async fn an_own_name_goes_before_an_id_elsewhere(backend: &Backend) {
    let store = backend.open();
    shared(&*store, new_in("acme.web", "a"), "x", Visibility::Public).await;
    let own = named(&*store, new("b"), "exec_a0000000").await.record.fqdn;
    let found = meaning(&*store, &ann(), "exec_a0000000").await;
    assert_eq!(found, Meaning::One(own, Via::Name));
}

pub(crate) async fn what_is_near_goes_first(backend: &Backend) {
    let store = backend.open();
    let public = shared(&*store, new_in("acme.web", "a"), "x", Visibility::Public).await;
    let asked = ann();
    let found = meaning(&*store, &asked, "x").await;
    assert_eq!(found, Meaning::One(public, Via::Name));

    let org = shared(&*store, new_in("local.other", "b"), "x", Visibility::Org).await;
    let found = meaning(&*store, &asked, "x").await;
    assert_eq!(found, Meaning::One(org, Via::Name));

    let own = named(&*store, new("c"), "x").await.record.fqdn;
    let found = meaning(&*store, &asked, "x").await;
    assert_eq!(found, Meaning::One(own, Via::Name));
}

pub(crate) async fn an_own_alias_goes_before_a_name_elsewhere(backend: &Backend) {
    let store = backend.open();
    let own = named(&*store, new("a"), "x").await.record.fqdn;
    store.rename(&own, &name("y"), 1).await.unwrap();
    shared(&*store, new_in("acme.web", "b"), "x", Visibility::Public).await;
    let found = meaning(&*store, &ann(), "x").await;
    assert_eq!(found, Meaning::One(own, Via::Alias("x".to_owned())));
}

pub(crate) async fn what_is_equally_near_is_several(backend: &Backend) {
    let store = backend.open();
    let mut both = vec![
        shared(&*store, new_in("beta.web", "a"), "x", Visibility::Public).await,
        shared(&*store, new_in("acme.web", "b"), "x", Visibility::Public).await,
    ];
    both.sort();
    let found = meaning(&*store, &ann(), "x").await;
    assert_eq!(found, Meaning::Several(both.clone()));
    // One of them that has it as its display name is nearer than one that had.
    store.rename(&both[0], &name("y"), 1).await.unwrap();
    let found = meaning(&*store, &ann(), "x").await;
    assert_eq!(found, Meaning::One(both[1].clone(), Via::Name));
}

pub(crate) async fn an_id_of_several_scopes_is_the_nearest(backend: &Backend) {
    let store = backend.open();
    let mut elsewhere = Vec::new();
    for scope in ["local.b", "local.a", "acme.web"] {
        let new = new_in(scope, "a");
        elsewhere.push(shared(&*store, new, "x", Visibility::Public).await);
    }
    let found = meaning(&*store, &ann(), "exec_a0000000").await;
    let of_org = vec![elsewhere[1].clone(), elsewhere[0].clone()];
    assert_eq!(found, Meaning::Several(of_org));
    let own = store.register(new("a")).await.unwrap().record.fqdn;
    let found = meaning(&*store, &ann(), "exec_a0000000").await;
    assert_eq!(found, Meaning::One(own, Via::Id));
}

pub(crate) async fn what_is_hidden_is_nothing(backend: &Backend) {
    let store = backend.open();
    let fqdn = named(&*store, new("a"), "x").await.record.fqdn;
    for name in [
        "x",
        fqdn.as_str(),
        "exec_a0000000",
        "local.default.issue.exec_a0000000",
    ] {
        assert_eq!(
            meaning(&*store, &bob(), name).await,
            Meaning::Nothing,
            "{name}"
        );
    }
}

pub(crate) async fn odd_names_are_nothing(backend: &Backend) {
    let store = backend.open();
    named(&*store, new("a"), "x").await;
    let long = "x".repeat(100_000);
    for name in [
        "", "X", "x ", "%", "*", "?", "'", ".", "....", "x.x.x.x", "\u{0}", "x\u{0}", &long,
    ] {
        assert_eq!(
            meaning(&*store, &ann(), name).await,
            Meaning::Nothing,
            "{name:.10}"
        );
    }
}

/// The digits that one has are not those that another with the same code has.
pub(crate) async fn an_id_is_of_one_record_of_a_scope(backend: &Backend) {
    let store = backend.open();
    let hers = store.register(new_by(&ann(), "a")).await.unwrap().record;
    let his = store.register(new_by(&bob(), "a")).await.unwrap().record;
    let found = async |who: &Viewer, record: &Record| meaning(&*store, who, &record.action).await;
    let one = |record: &Record| Meaning::One(record.fqdn.clone(), Via::Id);
    assert_eq!(found(&ann(), &hers).await, one(&hers));
    assert_eq!(found(&ann(), &his).await, Meaning::Nothing);
    assert_eq!(found(&bob(), &his).await, one(&his));
    assert_eq!(found(&bob(), &hers).await, Meaning::Nothing);
    // Shared, each still means one.
    for record in [&hers, &his] {
        store
            .set_visibility(&record.fqdn, Visibility::Project, 1)
            .await
            .unwrap();
    }
    for who in [ann(), bob()] {
        assert_eq!(found(&who, &hers).await, one(&hers));
        assert_eq!(found(&who, &his).await, one(&his));
    }
}
