//! A store behaves like the model after any sequence of changes.

mod mirror;
mod relations;

use capstan_core::code::{CodeHash, DisplayName, Trace, TraceId, Use, Visibility};
use capstan_core::port::{
    CodeFilter, Exported, NewCapability, Store, StoreError, TraceFilter, Viewer,
};
use futures_executor::block_on;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestRunner;

use super::model::{ErrorKind, Model};
use super::*;
use mirror::Mirror;
pub(crate) use relations::RelationChange;

#[derive(Clone, Debug)]
pub(crate) enum Change {
    Register(NewCapability),
    Use(Index, Use),
    UseOfCode(Viewer, CodeHash, Use),
    Rename(Index, DisplayName),
    Alias(Index, DisplayName),
    Share(Index, Visibility),
    Merge(Index, Index),
    Delete(Index),
    Import(NewCapability, DisplayName, Vec<DisplayName>),
    /// A change to relations. Without a viewer, the owner of the code makes it.
    Relations(Option<Viewer>, RelationChange),
    /// A viewer who holds a copy asks for changes.
    Look(Index),
    /// Looks up a trace by a prefix of its id.
    Trace(Viewer, &'static str),
    Prune(Viewer, u8),
}

pub(crate) async fn any_sequence_of_changes_does_what_a_simple_model_does(backend: &Backend) {
    let store = backend.open();
    // The test runner blocks, so it needs a thread of its own.
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

/// Uses few scopes, hashes and names, so that they collide.
pub(crate) fn changes() -> impl Strategy<Value = Vec<Change>> {
    let any_index = any::<Index>;
    let change = prop_oneof![
        8 => code().prop_map(Change::Register),
        1 => (any_index(), some_use()).prop_map(|(of, used)| Change::Use(of, used)),
        3 => (somebody(), some_hash(), some_use())
            .prop_map(|(who, of, used)| Change::UseOfCode(who, hash(of), used)),
        3 => (any_index(), some_name()).prop_map(|(of, name)| Change::Rename(of, name)),
        2 => (any_index(), some_name()).prop_map(|(of, name)| Change::Alias(of, name)),
        2 => (any_index(), select(&Visibility::ALL)).prop_map(|(of, it)| Change::Share(of, it)),
        5 => (any_index(), any_index()).prop_map(|(from, into)| Change::Merge(from, into)),
        1 => any_index().prop_map(Change::Delete),
        2 => (code(), named_name(), prop::collection::vec(named_name(), 0..2))
            .prop_map(|(code, name, aliases)| Change::Import(code, name, aliases)),
        16 => (prop::option::of(somebody()), relations::relation_change())
            .prop_map(|(who, said)| Change::Relations(who, said)),
        3 => any_index().prop_map(Change::Look),
        2 => (somebody(), select(&["x", "xy", "z"]))
            .prop_map(|(who, beginning)| Change::Trace(who, beginning)),
        1 => (somebody(), 0..3u8).prop_map(|(who, keep)| Change::Prune(who, keep)),
    ];
    prop::collection::vec(change, 1..60)
}

const SCOPES: [&str; 3] = ["local.default", "local.other", "acme.default"];
const USERS: [&str; 3] = ["ann", "bob", "cid"];

/// Most viewers share a scope, so that they have the same code there.
fn somebody() -> impl Strategy<Value = Viewer> {
    let scope = prop_oneof![3 => Just(SCOPES[0]), 2 => select(&SCOPES)];
    (scope, select(&USERS)).prop_map(|(scope, user)| viewer(scope, user))
}

fn some_hash() -> impl Strategy<Value = &'static str> {
    const HASHES: [&str; 6] = [
        "abcd11111111",
        "abcd11112222",
        "abcd111122223333",
        "abcd2222",
        "ef",
        "0",
    ];
    prop_oneof![1 => Just("ef"), 2 => select(&HASHES)]
}

fn some_use() -> impl Strategy<Value = Use> {
    let parts = (any::<bool>(), 0..100u8);
    parts.prop_map(|(ok, latency)| used(ok, f64::from(latency), i64::from(latency)))
}

/// Each user writes it in other words.
fn code() -> impl Strategy<Value = NewCapability> {
    let parts = (some_hash(), somebody(), some_use(), any::<bool>());
    parts.prop_map(|(hash, by, used, is_traced)| NewCapability {
        calls: match hash {
            "ef" | "0" => vec![],
            _ => vec!["issue.view".to_owned(), "pr.list".to_owned()],
        },
        used,
        trace: is_traced.then(|| trace(1, &["issue.view"])),
        ..new_by(&by, hash)
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
    let mut mirrors = viewers().map(Mirror::new);
    for mirror in &mut mirrors {
        mirror.update(store).await;
    }
    for (at, change) in changes.iter().enumerate() {
        match change {
            Change::Look(who) => who.get_mut(&mut mirrors).update(store).await,
            change => apply(store, &mut model, change, 1000 + at as i64).await,
        }
        compare_lists(store, &model).await;
    }
    compare(store, &model).await;
    for mirror in &mut mirrors {
        mirror.update(store).await;
    }
}

/// Deletes what an earlier sequence left.
async fn clear(store: &dyn Store) {
    for scope in SCOPES {
        for user in USERS {
            let viewer = viewer(scope, user);
            for left in store.list(&viewer, &CodeFilter::default()).await.unwrap() {
                store.delete(&left.record.fqdn).await.unwrap();
            }
            store.prune_traces(&viewer, 0).await.unwrap();
            for left in store.all_edges(&viewer, None).await.unwrap() {
                let gone = store.remove_edge(&viewer, &left.from, &left.to);
                gone.await.unwrap();
            }
        }
    }
}

/// Applies the change to the store and to the model, and compares their answers.
async fn apply(store: &dyn Store, model: &mut Model, change: &Change, at: i64) {
    let records = model.fqdns();
    let record = |index: &Index| {
        if records.is_empty() {
            fqdn("local.default.issue.exec_0.0")
        } else {
            index.get(&records).clone()
        }
    };
    match change {
        Change::Register(new) => {
            let with_id = |trace: &Trace| Trace {
                id: TraceId::kept(format!("x{at}")),
                ..trace.clone()
            };
            let new = NewCapability {
                trace: new.trace.as_ref().map(with_id),
                ..new.clone()
            };
            let made = store.register(new.clone()).await.unwrap();
            assert_eq!(made, model.register(&new));
        }
        Change::Use(of, used) => {
            let done = store.record_use(&record(of), *used).await;
            same(done, &model.record_use(&record(of), used));
        }
        Change::UseOfCode(viewer, hash, used) => {
            let done = store.record_use_of_code(viewer, hash, *used).await;
            assert_eq!(done.unwrap(), model.record_use_of_code(viewer, hash, used));
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
            let done = store.import(&code.by, vec![item.clone()], at).await;
            let done = done.map(|mut all| all.remove(0));
            match (done, model.import(&code.by, &item, at)) {
                // It does not matter which of several taken names is reported.
                (Err(StoreError::NameTaken { .. }), Err(ErrorKind::NameTaken(_))) => {}
                (done, expected) => same(done, &expected),
            }
        }
        Change::Relations(who, said) => {
            relations::apply(store, model, who.as_ref(), said, at).await;
        }
        Change::Look(_) => {}
        Change::Trace(viewer, beginning) => {
            let new = Trace {
                id: TraceId::kept(format!("{beginning}{at}")),
                ..trace(at, &["issue.view"])
            };
            store.add_trace(viewer, new.clone()).await.unwrap();
            model.traces.add(viewer, new);
        }
        Change::Prune(viewer, keep) => {
            let gone = store.prune_traces(viewer, u64::from(*keep)).await;
            assert_eq!(gone, Ok(model.prune(viewer, usize::from(*keep))));
        }
    }
}

fn exported_as(code: &NewCapability, name: &DisplayName) -> Exported {
    Exported {
        name: name.clone(),
        hash: code.hash.clone(),
        code: code.code.clone(),
        intent: code.intent.clone(),
        parameters: code.parameters.clone(),
        ..exported("", "x")
    }
}

fn same<T: PartialEq + std::fmt::Debug>(
    done: Result<T, StoreError>,
    expected: &Result<T, ErrorKind>,
) {
    assert_eq!(&done.map_err(ErrorKind::from), expected);
}

fn viewers() -> [Viewer; 5] {
    [
        viewer("local.default", "ann"),
        viewer("local.default", "bob"),
        viewer("local.default", "cid"),
        viewer("local.other", "ann"),
        viewer("acme.default", "bob"),
    ]
}

async fn compare_lists(store: &dyn Store, model: &Model) {
    for viewer in viewers() {
        let found = store.list(&viewer, &CodeFilter::default()).await.unwrap();
        assert_eq!(found, model.list(&viewer));
    }
}

async fn compare(store: &dyn Store, model: &Model) {
    for viewer in viewers() {
        let found = store
            .summaries(&viewer, &CodeFilter::default())
            .await
            .unwrap();
        let expected: Vec<_> = model.list(&viewer).into_iter().map(summary).collect();
        assert_eq!(found, expected);
        for name in model.names() {
            let found = store.resolve(&viewer, &name).await.unwrap();
            assert_eq!(
                found,
                model.resolve(&viewer, &name),
                "{name} for {viewer:?}"
            );
        }
        compare_traces(store, model, &viewer).await;
        relations::compare(store, model, &viewer).await;
    }
    for fqdn in model.fqdns() {
        assert_eq!(store.history(&fqdn).await.unwrap(), model.history(&fqdn));
    }
}

async fn compare_traces(store: &dyn Store, model: &Model, viewer: &Viewer) {
    let found = store.traces(viewer, &TraceFilter::default()).await.unwrap();
    assert_eq!(found, model.traces.list(viewer));
    let whole = model.traces.ids();
    let beginnings = ["x", "xy", "x1", "z"].map(str::to_owned);
    for id in whole.iter().chain(&beginnings) {
        let found = store.trace(viewer, id).await;
        same(found, &model.traces.get(viewer, id));
    }
}
