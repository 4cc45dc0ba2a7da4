//! Many at once.

use std::collections::BTreeSet;
use std::sync::Arc;

use capstan_core::code::EdgeKind;
use capstan_core::port::{CodeFilter, NewCapability, Store, StoreError};
use futures_executor::block_on;
use futures_util::future::join_all;

use super::*;

const MANY: usize = 64;

pub(crate) async fn first_runs_at_once_make_one_capability(backend: &Backend) {
    let store = backend.open();
    let runs = (0..MANY).map(|_| store.register(new("a")));
    let made: BTreeSet<_> = join_all(runs)
        .await
        .into_iter()
        .map(|it| it.unwrap().record.fqdn)
        .collect();
    assert_eq!(made.len(), 1);
    assert_one(&*store, MANY).await;
}

pub(crate) async fn first_runs_in_several_stores_make_one_capability(backend: &Backend) {
    let stores: Vec<Arc<dyn Store>> = (0..4).map(|_| backend.open()).collect();
    std::thread::scope(|threads| {
        for store in &stores {
            threads.spawn(|| {
                for _ in 0..MANY / 4 {
                    block_on(store.register(new("a"))).unwrap();
                }
            });
        }
    });
    for store in &stores {
        assert_one(&**store, MANY).await;
    }
}

async fn assert_one(store: &dyn Store, usage: usize) {
    let all = store.list(&ann(), &CodeFilter::default()).await.unwrap();
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].record.statistics.usage_count, usage as u64);
    assert_eq!(all[0].record.statistics.success_count, usage as u64);
    let events = store.history(&all[0].record.fqdn).await.unwrap();
    assert_eq!(events.len(), 1);
}

pub(crate) async fn different_codes_at_once_get_different_names(backend: &Backend) {
    let stores = [backend.open(), backend.open()];
    // Their hashes differ in the last digits only.
    let code = |number: usize| NewCapability {
        hash: hash(&format!("{}{number:04}", "a".repeat(60))),
        ..new("a")
    };
    let runs = (0..MANY).map(|number| stores[number % 2].register(code(number)));
    let made = join_all(runs).await.into_iter().map(|it| it.unwrap());
    let (ids, names): (BTreeSet<_>, BTreeSet<_>) = made
        .map(|it| (it.record.action, (it.record.fqdn, it.record.name)))
        .unzip();
    assert_eq!((ids.len(), names.len()), (MANY, MANY));
}

pub(crate) async fn the_same_code_of_many_at_once_is_one_for_each(backend: &Backend) {
    let stores = [backend.open(), backend.open()];
    let users: Vec<_> = (0..MANY / 2)
        .map(|number| viewer("local.default", &format!("user{number}")))
        .collect();
    let runs = (0..MANY).map(|number| {
        let user = &users[number % users.len()];
        stores[number % 2].register(new_by(user, "a"))
    });
    let made: BTreeSet<_> = join_all(runs)
        .await
        .into_iter()
        .map(|it| it.unwrap().record.fqdn)
        .collect();
    assert_eq!(made.len(), users.len());
    for user in &users {
        let own = known(&*stores[0], user, &hash("a")).await.unwrap();
        assert_eq!(own.record.owner, user.user);
        assert_eq!(own.record.statistics.usage_count, 2);
    }
}

pub(crate) async fn of_those_who_want_a_name_one_gets_it(backend: &Backend) {
    let stores = [backend.open(), backend.open()];
    let mut records = Vec::new();
    for digit in 0..8 {
        let made = stores[0].register(new(&digit.to_string())).await.unwrap();
        records.push(made.record.fqdn);
    }
    let wanted = name("wanted");
    let renames = records
        .iter()
        .enumerate()
        .map(|(place, fqdn)| stores[place % 2].rename(fqdn, &wanted, 1));
    let results = join_all(renames).await;
    let refused = results.iter().filter_map(|it| it.as_ref().err());
    assert!(
        refused
            .clone()
            .all(|it| matches!(it, StoreError::NameTaken { .. }))
    );
    assert_eq!(refused.count(), 7);
}

pub(crate) async fn uses_at_once_are_all_counted(backend: &Backend) {
    let stores = [backend.open(), backend.open()];
    let fqdn = stores[0].register(new("a")).await.unwrap().record.fqdn;
    let uses = (0..MANY)
        .map(|number| stores[number % 2].record_use(&fqdn, used(number % 4 != 0, 10.0, 1)));
    for done in join_all(uses).await {
        done.unwrap();
    }
    let found = known(&*stores[1], &ann(), &hash("a")).await.unwrap();
    let statistics = found.record.statistics;
    assert_eq!(statistics.usage_count, 1 + MANY as u64);
    assert_eq!(statistics.success_count, 1 + MANY as u64 * 3 / 4);
    assert_eq!(statistics.mean_latency_ms, 10.0);
}

pub(crate) async fn a_trace_teaches_once_whoever_learns(backend: &Backend) {
    let stores = [backend.open(), backend.open()];
    let [a, b] = ["a", "b"].map(card);
    let kept = trace(1, &[]);
    stores[0].add_trace(&ann(), kept.clone()).await.unwrap();
    let who = ann();
    let learning = (0..MANY).map(|number| {
        let seen = vec![seen(&a, &b, EdgeKind::Sequence, 1)];
        stores[number % 2].learn(&who, &kept.id, seen)
    });
    let changed: u64 = join_all(learning)
        .await
        .into_iter()
        .map(|it| it.unwrap().changed)
        .sum();
    assert_eq!(changed, 1);
    let found = stores[1].all_edges(&ann(), None).await.unwrap();
    assert_eq!((found.len(), found[0].observed), (1, 1));
}

pub(crate) async fn what_is_learned_at_once_is_all_counted(backend: &Backend) {
    let stores = [backend.open(), backend.open()];
    let [a, b] = ["a", "b"].map(card);
    let learning = (0..MANY as i64).map(|at| {
        let (store, seen) = (
            &stores[at as usize % 2],
            vec![seen(&a, &b, EdgeKind::Sequence, 2)],
        );
        async move { learn(&**store, &ann(), at, seen).await }
    });
    let changed: u64 = join_all(learning).await.iter().map(|it| it.changed).sum();
    assert_eq!(changed, MANY as u64);
    let (found, why) = stores[1].edge(&ann(), &a, &b).await.unwrap().unwrap();
    assert_eq!(found.observed, 2 * MANY as u64);
    assert_eq!(
        (found.created_at, found.last_observed),
        (0, MANY as i64 - 1)
    );
    assert_eq!(why.len(), MANY);
}
