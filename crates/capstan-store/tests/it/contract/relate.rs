//! What code has in common with other code.

use capstan_core::code::{
    Capability, EdgeKind, EdgeSource, Evidence, Fqdn, Observation, TraceId, Visibility,
};
use capstan_core::port::{Learned, NewCapability, Sharing, Store};

use super::*;

pub(crate) async fn is_asked_once_of_each(backend: &Backend) {
    let store = backend.open();
    let mut made = Vec::new();
    for (beginning, at) in [("a", 3000), ("b", 1000), ("c", 2000), ("d", 2000)] {
        let new = NewCapability {
            used: used(true, 1.0, at),
            ..new(beginning)
        };
        made.push(store.register(new).await.unwrap().record.fqdn);
    }
    let [a, b, c, d] = &made[..] else {
        unreachable!()
    };
    let his = store
        .register(new_by(&bob(), "e"))
        .await
        .unwrap()
        .record
        .fqdn;
    let left = async |limit| store.unrelated(&ann(), limit).await.unwrap();
    assert_eq!(left(10).await, [b, c, d, a].map(Fqdn::clone));
    assert_eq!(left(2).await, [b, c].map(Fqdn::clone));
    assert_eq!(left(0).await, [] as [Fqdn; 0]);
    let of_bob = store.unrelated(&bob(), 10).await.unwrap();
    assert_eq!(of_bob, vec![his.clone()]);

    for fqdn in [c, a] {
        let related = store.relate(&ann(), fqdn, vec![], 5000).await;
        assert_eq!(related, Ok(Learned::default()));
    }
    assert_eq!(left(10).await, [b, d].map(Fqdn::clone));
    // Of what is hidden, and of what is not there, nothing is asked and nothing taken over.
    let missing = fqdn("local.default.issue.exec_x.x");
    for hidden in [&his, &missing] {
        let seen = vec![seen(&code(a), &code(b), EdgeKind::Sequence, 1)];
        let related = store.relate(&ann(), hidden, seen, 5000).await;
        assert_eq!(related, Ok(Learned::default()));
    }
    assert_eq!(store.unrelated(&bob(), 10).await, Ok(vec![his]));
    assert_eq!(store.all_edges(&ann(), None).await, Ok(vec![]));
    // What comes from elsewhere is new here.
    let items = vec![exported("f", "far")];
    let imported = store.import(&ann(), items, 9000).await.unwrap().remove(0);
    assert_eq!(left(10).await, [b, d, &imported.fqdn].map(Fqdn::clone));
    // What was forgotten is not asked about, and is new when it comes again.
    store.delete(b).await.unwrap();
    store.delete(a).await.unwrap();
    store.register(new("a")).await.unwrap();
    assert_eq!(left(10).await, [a, d, &imported.fqdn].map(Fqdn::clone));
}

/// Others see it, and so does what they compare it with.
pub(crate) async fn is_asked_again_when_it_is_shared(backend: &Backend) {
    let store = backend.open();
    let made = store.register(new("a")).await.unwrap().record.fqdn;
    store.relate(&ann(), &made, vec![], 1).await.unwrap();
    for (visibility, is_asked) in [
        (Visibility::Project, true),
        (Visibility::Project, false),
        (Visibility::Private, false),
        (Visibility::Org, true),
        (Visibility::Project, false),
        (Visibility::Public, true),
    ] {
        store.set_visibility(&made, visibility, 1).await.unwrap();
        let asked = store.unrelated(&ann(), 10).await.unwrap();
        assert_eq!(!asked.is_empty(), is_asked, "{visibility}");
        store.relate(&ann(), &made, vec![], 1).await.unwrap();
    }
}

async fn register(store: &dyn Store, at: i64, new: NewCapability) -> Capability {
    let new = NewCapability {
        used: used(true, 1.0, at),
        ..new
    };
    store.register(new).await.unwrap()
}

fn sharing(made: &Capability) -> Sharing {
    Sharing {
        fqdn: made.record.fqdn.clone(),
        created_at: made.record.created_at,
        calls: made.pattern.calls.clone(),
    }
}

pub(crate) async fn is_what_both_call(backend: &Backend) {
    let store = backend.open();
    let store = &*store;
    let some = register(store, 1, calling("1", &["x.c", "y.z", "x.c"])).await;
    let all = register(store, 2, calling("2", &["x.a", "x.a"])).await;
    // Most in absolute number, but less than half of it.
    let long: Vec<String> = (0..9).map(|it| format!("y.{it}")).collect();
    let long: Vec<&str> = long.iter().map(String::as_str).collect();
    let long = [&["x.a", "x.b", "x.c"], &long[..]].concat();
    register(store, 3, calling("3", &long)).await;
    let also_all = register(store, 4, calling("4", &["x.c", "x.b", "x.a"])).await;
    register(store, 5, calling("5", &["y.z"])).await;
    register(store, 5, calling("6", &[])).await;
    let his = NewCapability {
        by: bob(),
        ..calling("7", &["x.a", "x.b", "y.y"])
    };
    let his = register(store, 6, his).await;
    let this = register(store, 9, calling("8", &["x.a", "x.b", "x.c", "x.a"])).await;
    let fqdn = &this.record.fqdn;
    let found = store.sharing(&ann(), fqdn, 10).await.unwrap();
    assert_eq!(found, [&all, &also_all, &some].map(sharing));
    let found = store.sharing(&ann(), fqdn, 2).await.unwrap();
    assert_eq!(found, [&all, &also_all].map(sharing));
    assert_eq!(store.sharing(&ann(), fqdn, 0).await, Ok(vec![]));
    // What others share is counted with it.
    let theirs = &his.record.fqdn;
    store
        .set_visibility(theirs, Visibility::Project, 1)
        .await
        .unwrap();
    let found = store.sharing(&ann(), fqdn, 10).await.unwrap();
    assert_eq!(found, [&all, &also_all, &his, &some].map(sharing));
    store
        .set_visibility(theirs, Visibility::Private, 1)
        .await
        .unwrap();
    // What is hidden tells nothing of itself by what it has in common with others.
    assert_eq!(store.sharing(&ann(), theirs, 10).await, Ok(vec![]));
    assert_eq!(store.sharing(&bob(), fqdn, 10).await, Ok(vec![]));
    let missing = self::fqdn("local.default.issue.exec_x.x");
    assert_eq!(store.sharing(&ann(), &missing, 10).await, Ok(vec![]));
}

/// The older finds the newer only if that did not see it when it was compared.
pub(crate) async fn is_found_by_the_newer_of_two(backend: &Backend) {
    let store = backend.open();
    let store = &*store;
    let old = register(store, 1, calling("1", &["x.a", "x.b"])).await;
    let new = register(store, 2, calling("2", &["x.b", "y.a", "y.b"])).await;
    let (older, newer) = (&old.record.fqdn, &new.record.fqdn);
    let found = async |of| store.sharing(&ann(), of, 10).await.unwrap();
    assert_eq!(found(newer).await, [sharing(&old)]);
    assert_eq!(found(older).await, []);
    store.relate(&ann(), newer, vec![], 3).await.unwrap();
    assert_eq!(found(older).await, [sharing(&new)]);
    assert_eq!(found(newer).await, [sharing(&old)]);
}

pub(crate) async fn is_taken_over_once(backend: &Backend) {
    let store = backend.open();
    let mut made = Vec::new();
    for beginning in ["a", "b", "c"] {
        let fqdn = store.register(new(beginning)).await.unwrap().record.fqdn;
        made.push((fqdn.clone(), code(&fqdn)));
    }
    let [(a, of_a), (b, of_b), (_, of_c)] = &made[..] else {
        unreachable!()
    };
    let alike = |from, to| Observation {
        evidence: Evidence::AlikeIntents(0.95),
        ..seen(from, to, EdgeKind::Alternative, 1)
    };
    let shared = Observation {
        evidence: Evidence::SharedCalls(vec!["issue.view".to_owned()]),
        ..seen(of_a, of_c, EdgeKind::Sequence, 1)
    };
    let seen = vec![alike(of_a, of_b), shared.clone()];
    let first = store.relate(&ann(), a, seen.clone(), 7000).await.unwrap();
    assert_eq!(first.changed, 2);
    let before = store.all_edges(&ann(), None).await.unwrap();
    let again = store.relate(&ann(), a, seen, 8000).await;
    assert_eq!(again, Ok(Learned::default()));
    // The other says the same of the two: it is known.
    let other = store.relate(&ann(), b, vec![alike(of_a, of_b)], 9000).await;
    assert_eq!(other, Ok(Learned::default()));
    assert_eq!(store.all_edges(&ann(), None).await, Ok(before));

    let (edge, why) = store.edge(&ann(), of_a, of_c).await.unwrap().unwrap();
    assert_eq!(
        (edge.kind, edge.source),
        (EdgeKind::Sequence, EdgeSource::Inferred)
    );
    assert_eq!((edge.observed, edge.created_at), (1, 7000));
    assert_eq!(why.len(), 1);
    assert_eq!((&why[0].trace, why[0].at), (&None::<TraceId>, 7000));
    assert_eq!(why[0].evidence, shared.evidence);
    // It needed no trace, and so goes with none; what traces show comes before it.
    learn(
        &*store,
        &ann(),
        100,
        vec![self::seen(of_a, of_c, EdgeKind::Contains, 1)],
    )
    .await;
    let why = async || store.edge(&ann(), of_a, of_c).await.unwrap().unwrap().1;
    let whens: Vec<_> = why().await.iter().map(|it| it.at).collect();
    assert_eq!(whens, [100, 7000]);
    store.prune_traces(&ann(), 0).await.unwrap();
    assert_eq!(why().await.len(), 1);
}
