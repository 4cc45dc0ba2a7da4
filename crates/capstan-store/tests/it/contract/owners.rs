//! The same code of several users: each knows what they wrote and what was shared with them.

use std::collections::BTreeSet;

use capstan_core::code::{Capability, Fqdn, Visibility};
use capstan_core::port::{CodeFilter, Exported, NewCapability, Store, Via, Viewer};

use super::model::Model;
use super::*;

/// A user in another scope than `ann`.
fn elsewhere() -> Viewer {
    viewer("acme.web", "ann")
}

/// Returns whether it has the content that `new_by` wrote for this user, and nothing of anybody
/// else.
fn is_as_written(it: &Capability, by: &Viewer, beginning: &str) -> bool {
    let own = new_by(by, beginning);
    let pattern = &it.pattern;
    (&pattern.code, &pattern.intent, &pattern.parameters)
        == (&own.code, &own.intent, &own.parameters)
}

/// Checks that this viewer cannot reach the capability in any way.
async fn assert_hidden(store: &dyn Store, of: &Capability, from: &Viewer) {
    let record = &of.record;
    let seen = store.list(from, &CodeFilter::default()).await.unwrap();
    assert!(seen.iter().all(|it| it.record.fqdn != record.fqdn));
    let text = format!("{seen:?}");
    assert!(!text.contains(&of.pattern.intent), "{text}");
    let without_hash = record.fqdn.as_str().rsplit_once('.').unwrap().0;
    for name in [record.fqdn.as_str(), without_hash] {
        assert_eq!(meaning(store, from, name).await, Meaning::Nothing, "{name}");
    }
    for name in [record.name.as_str(), &record.action] {
        // In another scope the same name may mean something else.
        if let Meaning::One(found, _) = meaning(store, from, name).await {
            assert_ne!(found, record.fqdn);
        }
    }
}

async fn share(store: &dyn Store, fqdn: &Fqdn, visibility: Visibility) {
    store.set_visibility(fqdn, visibility, 1000).await.unwrap();
}

async fn usage(store: &dyn Store, of: &Viewer) -> u64 {
    let own = known(store, of, &hash("a")).await.unwrap();
    own.record.statistics.usage_count
}

pub(crate) async fn each_has_what_they_wrote(backend: &Backend) {
    let store = backend.open();
    let people = [ann(), bob(), elsewhere(), viewer("local.other", "bob")];
    let mut all = Vec::new();
    for who in &people {
        let made = store.register(new_by(who, "a")).await.unwrap();
        assert!(is_as_written(&made, who, "a"), "{made:?}");
        assert_eq!(made.record.scope, who.scope);
        assert_eq!(made.record.owner, who.user);
        assert_eq!(made.record.visibility, Visibility::Private);
        assert_eq!(made.record.statistics.usage_count, 1);
        all.push(made);
    }
    assert_eq!(
        all[1].record.fqdn.as_str(),
        "local.default.issue.exec_a00000000000.a0000000"
    );
    assert_eq!(all[1].record.name.as_str(), "unnamed_a00000000000");
    assert_eq!(
        all[2].record.fqdn.as_str(),
        "acme.web.issue.exec_a0000000.a000"
    );
    assert_eq!(all[2].record.name, all[0].record.name);

    for (place, who) in people.iter().enumerate() {
        let seen = store.list(who, &CodeFilter::default()).await.unwrap();
        assert_eq!(seen, [all[place].clone()]);
        for other in all.iter().filter(|it| **it != all[place]) {
            assert_hidden(&*store, other, who).await;
        }
    }
}

pub(crate) async fn each_counts_names_and_forgets_alone(backend: &Backend) {
    let store = backend.open();
    let hers = store.register(new_by(&ann(), "a")).await.unwrap();
    let his = store.register(new_by(&bob(), "a")).await.unwrap();
    for _ in 0..3 {
        let again = store.register(new_by(&bob(), "a")).await.unwrap();
        assert_eq!(again.record.fqdn, his.record.fqdn);
    }
    store
        .rename(&his.record.fqdn, &name("his"), 2000)
        .await
        .unwrap();
    assert_eq!(known(&*store, &ann(), &hash("a")).await, Some(hers.clone()));
    assert_eq!(store.history(&hers.record.fqdn).await.unwrap().len(), 1);
    assert_eq!(usage(&*store, &bob()).await, 4);

    store.delete(&hers.record.fqdn).await.unwrap();
    let left = known(&*store, &bob(), &hash("a")).await.unwrap();
    assert!(is_as_written(&left, &bob(), "a"));
    assert_eq!(left.record.name, name("his"));
    // And again the digits that became free.
    let again = store.register(new_by(&ann(), "a")).await.unwrap();
    assert_eq!(again.record.fqdn, hers.record.fqdn);
    assert_eq!(again.record.statistics.usage_count, 1);
}

/// Not even that it is there.
pub(crate) async fn a_use_by_hash_leaves_what_is_hidden_alone(backend: &Backend) {
    let store = backend.open();
    let hers = store.register(new_by(&ann(), "a")).await.unwrap();
    for who in [bob(), elsewhere(), viewer("local.other", "ann")] {
        for ok in [true, false] {
            let counted = store
                .record_use_of_code(&who, &hash("a"), used(ok, 99.0, 9000))
                .await;
            assert_eq!(counted, Ok(None), "{who:?}");
        }
        assert_hidden(&*store, &hers, &who).await;
    }
    assert_eq!(known(&*store, &ann(), &hash("a")).await, Some(hers));
}

/// What is public is seen in other scopes too, but it is not of them.
pub(crate) async fn what_another_scope_shares_is_not_counted_here(backend: &Backend) {
    let store = backend.open();
    let far = store.register(new_by(&elsewhere(), "a")).await.unwrap();
    share(&*store, &far.record.fqdn, Visibility::Public).await;
    let one = used(true, 1.0, 1);
    let counted = store.record_use_of_code(&ann(), &hash("a"), one).await;
    assert_eq!(counted, Ok(None));
    let own = store.register(new_by(&ann(), "a")).await.unwrap();
    assert_eq!(own.record.scope, ann().scope);
    assert!(is_as_written(&own, &ann(), "a"));
    assert_eq!(usage(&*store, &elsewhere()).await, 1);
}

pub(crate) async fn what_is_shared_is_used_by_others(backend: &Backend) {
    for visibility in [Visibility::Project, Visibility::Org, Visibility::Public] {
        let store = backend.open();
        let hers = store.register(new_by(&ann(), "a")).await.unwrap();
        share(&*store, &hers.record.fqdn, visibility).await;

        let used_by_him = store.register(new_by(&bob(), "a")).await.unwrap();
        assert_eq!(used_by_him.record.fqdn, hers.record.fqdn);
        assert_eq!(used_by_him.record.owner, "ann");
        assert_eq!(used_by_him.record.visibility, visibility);
        assert_eq!(used_by_him.pattern, hers.pattern);
        let failed = used(false, 1.0, 1);
        let counted = store.record_use_of_code(&bob(), &hash("a"), failed).await;
        let counted = counted.unwrap().unwrap();
        assert_eq!(counted.record.fqdn, hers.record.fqdn);
        assert_eq!(counted.record.statistics.usage_count, 3);
        assert_eq!(counted.record.statistics.success_count, 2);

        // Hidden again, it is hers alone.
        share(&*store, &hers.record.fqdn, Visibility::Private).await;
        let counted = store.record_use_of_code(&bob(), &hash("a"), failed).await;
        assert_eq!(counted, Ok(None));
        let his = store.register(new_by(&bob(), "a")).await.unwrap();
        assert_ne!(his.record.fqdn, hers.record.fqdn);
        assert_eq!(usage(&*store, &ann()).await, 3);
        for made in [hers, his] {
            store.delete(&made.record.fqdn).await.unwrap();
        }
    }
}

pub(crate) async fn an_own_one_goes_before_a_shared_one(backend: &Backend) {
    let store = backend.open();
    let hers = store.register(new_by(&ann(), "a")).await.unwrap();
    let his = store.register(new_by(&bob(), "a")).await.unwrap();
    share(&*store, &hers.record.fqdn, Visibility::Project).await;
    let again = store.register(new_by(&bob(), "a")).await.unwrap();
    assert_eq!(again.record.fqdn, his.record.fqdn);
    let one = used(true, 1.0, 1);
    let counted = store.record_use_of_code(&bob(), &hash("a"), one).await;
    assert_eq!(counted.unwrap().unwrap().record.fqdn, his.record.fqdn);
    let items = vec![exported("a", "given")];
    let imported = store.import(&bob(), items, 1).await.unwrap();
    assert_eq!(imported[0].fqdn, his.record.fqdn);
    assert_eq!(usage(&*store, &bob()).await, 3);
    assert_eq!(usage(&*store, &ann()).await, 1);
}

/// In the order of time, not in the order of names.
pub(crate) async fn of_several_shared_ones_the_oldest_is_used(backend: &Backend) {
    let store = backend.open();
    let mut all = Vec::new();
    for (user, at) in [("zoe", 3000), ("ann", 1000), ("max", 2000)] {
        let new = NewCapability {
            used: used(true, 10.0, at),
            ..new_by(&viewer("local.default", user), "a")
        };
        all.push(store.register(new).await.unwrap().record.fqdn);
    }
    for fqdn in &all {
        share(&*store, fqdn, Visibility::Project).await;
    }
    let mut expected = vec![&all[1], &all[2], &all[0]].into_iter();
    for fqdn in expected.by_ref() {
        let his = store.register(new_by(&bob(), "a")).await.unwrap();
        assert_eq!(his.record.fqdn, *fqdn);
        share(&*store, fqdn, Visibility::Private).await;
    }
    let own = store.register(new_by(&bob(), "a")).await.unwrap();
    assert_eq!(own.record.owner, "bob");
}

pub(crate) async fn an_import_knows_nothing_of_what_is_hidden(backend: &Backend) {
    let store = backend.open();
    let hers = named(&*store, new_by(&ann(), "a"), "hers").await;
    let item = Exported {
        intent: "other words".to_owned(),
        ..exported("a", "given")
    };
    for who in [bob(), elsewhere()] {
        let imported = store.import(&who, vec![item.clone()], 1).await.unwrap();
        assert!(!imported[0].known);
        assert_eq!(imported[0].name, name("given"));
        assert_ne!(imported[0].fqdn, hers.record.fqdn);
        let found = known(&*store, &who, &hash("a")).await.unwrap();
        assert_eq!(found.record.fqdn, imported[0].fqdn);
        assert_eq!(found.record.owner, who.user);
        assert_eq!(found.pattern.code, item.code);
        assert_eq!(found.pattern.intent, item.intent);
        assert_eq!(found.pattern.parameters, item.parameters);
        assert_hidden(&*store, &hers, &who).await;
    }
    // What he shares by it changes nothing for her, who has her own.
    assert_eq!(known(&*store, &ann(), &hash("a")).await, Some(hers));
}

/// More than there are digits to tell them apart.
pub(crate) async fn forty_with_the_same_code_are_told_apart(backend: &Backend) {
    let store = backend.open();
    let mut model = Model::default();
    let users = (0..40).map(|number| viewer("local.default", &format!("user{number:02}")));
    let users: Vec<_> = users.collect();
    let mut seen = [(); 3].map(|()| BTreeSet::new());
    for user in &users {
        let new = new_by(user, "a");
        let made = store.register(new.clone()).await.unwrap();
        assert_eq!(made, model.register(&new));
        let record = &made.record;
        assert!(record.name.is_unnamed());
        let called = [
            record.name.as_str(),
            &record.action,
            record.fqdn.as_str().rsplit('.').next().unwrap(),
        ];
        for (seen, text) in seen.iter_mut().zip(called) {
            assert!(seen.insert(text.to_owned()), "{text} twice");
        }
    }
    for user in &users {
        let own = store.list(user, &CodeFilter::default()).await.unwrap();
        assert_eq!(own.len(), 1);
        assert!(is_as_written(&own[0], user, "a"));
        let record = &own[0].record;
        let found = meaning(&*store, user, &record.action).await;
        assert_eq!(found, Meaning::One(record.fqdn.clone(), Via::Id));
        let again = store.register(new_by(user, "a")).await.unwrap();
        assert_eq!(again.record.fqdn, record.fqdn);
    }
}
