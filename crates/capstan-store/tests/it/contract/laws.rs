//! Whatever is done in whatever order, a store does what the model does.

use capstan_core::code::{DisplayName, EdgeKind, EdgeSource, Visibility};
use capstan_core::port::{Exported, Filter, NewCapability, Store, StoreError, Viewer};
use futures_executor::block_on;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestRunner;

use super::model::{Model, Wrong};
use super::*;

#[derive(Clone, Debug)]
pub(crate) enum Change {
    Register(NewCapability),
    Rename(Index, DisplayName),
    Alias(Index, DisplayName),
    Share(Index, Visibility),
    Merge(Index, Index),
    Delete(Index),
    Import(NewCapability, DisplayName, Vec<DisplayName>),
    Relate(Index, Index, EdgeKind, EdgeSource),
}

pub(crate) async fn any_sequence_of_changes_does_what_a_simple_model_does(backend: &Backend) {
    let store = backend.open();
    // Sequences are tried by a runner that does not wait: it needs a thread of its own.
    let tried = std::thread::scope(|threads| {
        let tried = threads.spawn(|| {
            let mut runner = TestRunner::new(ProptestConfig::with_cases(40));
            runner.run(&changes(), |changes| {
                block_on(check(&*store, &changes));
                Ok(())
            })
        });
        tried.join().unwrap()
    });
    tried.unwrap_or_else(|error| panic!("{error}"));
}

/// Of few scopes, hashes and names, so that they meet.
pub(crate) fn changes() -> impl Strategy<Value = Vec<Change>> {
    let any_index = any::<Index>;
    let change = prop_oneof![
        6 => code().prop_map(Change::Register),
        3 => (any_index(), some_name()).prop_map(|(of, name)| Change::Rename(of, name)),
        2 => (any_index(), some_name()).prop_map(|(of, name)| Change::Alias(of, name)),
        2 => (any_index(), select(&Visibility::ALL)).prop_map(|(of, it)| Change::Share(of, it)),
        3 => (any_index(), any_index()).prop_map(|(from, into)| Change::Merge(from, into)),
        1 => any_index().prop_map(Change::Delete),
        2 => (code(), named_name(), prop::collection::vec(named_name(), 0..2))
            .prop_map(|(code, name, aliases)| Change::Import(code, name, aliases)),
        4 => (any_index(), any_index(), select(&EdgeKind::ALL), select(&EdgeSource::ALL))
            .prop_map(|(from, to, kind, source)| Change::Relate(from, to, kind, source)),
    ];
    prop::collection::vec(change, 1..60)
}

const SCOPES: [&str; 3] = ["local.default", "local.other", "acme.default"];
const USERS: [&str; 2] = ["ann", "bob"];

fn code() -> impl Strategy<Value = NewCapability> {
    const HASHES: [&str; 6] = [
        "abcd11111111",
        "abcd11112222",
        "abcd111122223333",
        "abcd2222",
        "ef",
        "0",
    ];
    let parts = (
        select(&HASHES),
        select(&SCOPES),
        select(&USERS),
        any::<bool>(),
        0..100u8,
    );
    parts.prop_map(|(hash, scope, owner, ok, latency)| NewCapability {
        owner: owner.to_owned(),
        calls: match hash {
            "ef" | "0" => vec![],
            _ => vec!["issue.view".to_owned(), "pr.list".to_owned()],
        },
        used: used(ok, f64::from(latency), i64::from(latency)),
        ..new_in(scope, hash)
    })
}

fn named_name() -> impl Strategy<Value = DisplayName> {
    select(&["one", "two", "three", "exec_ef000000"]).prop_map(name)
}

fn some_name() -> impl Strategy<Value = DisplayName> {
    prop_oneof![
        4 => named_name(),
        1 => select(&["unnamed_abcd2222", "unnamed_ef000000"]).prop_map(name),
    ]
}

pub(crate) async fn check(store: &dyn Store, changes: &[Change]) {
    clear(store).await;
    let mut model = Model::default();
    for (at, change) in changes.iter().enumerate() {
        apply(store, &mut model, change, 1000 + at as i64).await;
        compare_lists(store, &model).await;
    }
    compare(store, &model).await;
}

/// Forgets what a sequence before left.
async fn clear(store: &dyn Store) {
    for scope in SCOPES {
        for user in USERS {
            let viewer = viewer(scope, user);
            for left in store.list(&viewer, &Filter::default()).await.unwrap() {
                store.delete(&left.record.fqdn).await.unwrap();
            }
        }
    }
}

/// Does the same to both, and compares what they answer.
async fn apply(store: &dyn Store, model: &mut Model, change: &Change, at: i64) {
    let records = model.fqdns();
    let record = |index: &Index| match records.is_empty() {
        true => fqdn("local.default.issue.exec_0.0"),
        false => index.get(&records).clone(),
    };
    match change {
        Change::Register(new) => {
            let made = store.register(new.clone()).await.unwrap();
            assert_eq!(made, model.register(new));
        }
        Change::Rename(of, name) => {
            let done = store.rename(&record(of), name, at).await;
            same(done, &model.rename(&record(of), name, at));
        }
        Change::Alias(of, name) => {
            let done = store.add_alias(&record(of), name, at).await;
            same(done, &model.add_alias(&record(of), name, at));
        }
        Change::Share(of, visibility) => {
            let done = store.set_visibility(&record(of), *visibility, at).await;
            same(done, &model.share(&record(of), *visibility, at));
        }
        Change::Merge(from, into) => {
            let done = store.merge(&record(from), &record(into), at).await;
            same(done, &model.merge(&record(from), &record(into), at));
        }
        Change::Delete(of) => {
            let done = store.delete(&record(of)).await;
            same(done, &model.delete(&record(of)));
        }
        Change::Import(code, name, aliases) => {
            let item = Exported {
                aliases: aliases.clone(),
                calls: code.calls.clone(),
                ..exported_as(code, name)
            };
            let (scope, owner) = (&code.scope, &code.owner);
            let done = store.import(scope, owner, vec![item.clone()], at).await;
            let done = done.map(|mut all| all.remove(0));
            match (done, model.import(scope, owner, &item, at)) {
                // Which of several names that are taken is told does not matter.
                (Err(StoreError::NameTaken { .. }), Err(Wrong::NameTaken(_))) => {}
                (done, expected) => same(done, &expected),
            }
        }
        Change::Relate(from, to, kind, source) => {
            let patterns = model.patterns();
            let pattern = |index: &Index| match patterns.is_empty() {
                true => "exec_0",
                false => index.get(&patterns),
            };
            let new = edge(pattern(from), pattern(to), *kind, *source);
            let done = store.add_edge(new.clone()).await;
            same(done, &model.add_edge(&new));
        }
    }
}

fn exported_as(code: &NewCapability, name: &DisplayName) -> Exported {
    Exported {
        name: name.clone(),
        hash: code.hash.clone(),
        code: code.code.clone(),
        intent: code.intent.clone(),
        ..exported("", "x")
    }
}

fn same<T: PartialEq + std::fmt::Debug>(done: Result<T, StoreError>, expected: &Result<T, Wrong>) {
    assert_eq!(&done.map_err(Wrong::from), expected);
}

fn viewers() -> [Viewer; 4] {
    [
        viewer("local.default", "ann"),
        viewer("local.default", "bob"),
        viewer("local.other", "ann"),
        viewer("acme.default", "bob"),
    ]
}

async fn compare_lists(store: &dyn Store, model: &Model) {
    for viewer in viewers() {
        let found = store.list(&viewer, &Filter::default()).await.unwrap();
        assert_eq!(found, model.list(&viewer));
    }
}

async fn compare(store: &dyn Store, model: &Model) {
    for viewer in viewers() {
        for name in model.names() {
            let found = store.resolve(&viewer, &name).await.unwrap();
            assert_eq!(
                found,
                model.resolve(&viewer, &name),
                "{name} for {viewer:?}"
            );
        }
    }
    for fqdn in model.fqdns() {
        assert_eq!(store.history(&fqdn).await.unwrap(), model.history(&fqdn));
    }
    for pattern in model.patterns() {
        assert_eq!(store.edges(&pattern).await.unwrap(), model.edges(&pattern));
    }
}
