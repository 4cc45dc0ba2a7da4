//! How fast things are remembered and found, in a file that is on a disk.

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark that cannot go on has failed"
)]

use std::sync::atomic::{AtomicU64, Ordering};

use capstan_core::code::{CodeHash, Scope, Use};
use capstan_core::port::{Filter, NewCapability, Store as _, Viewer};
use capstan_store::SqliteStore;
use divan::Bencher;
use divan::counter::ItemsCount;
use futures_executor::block_on;
use futures_util::future::join_all;
use serde_json::json;
use tempfile::TempDir;

fn main() {
    divan::main();
}

/// A store with so many capabilities.
struct World {
    store: SqliteStore,
    next: AtomicU64,
    _folder: TempDir,
}

impl World {
    fn with(count: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::new(folder.path().join("capstan.db"));
        block_on(join_all(
            (0..count).map(|number| store.register(code(number))),
        ));
        Self {
            store,
            next: AtomicU64::new(count),
            _folder: folder,
        }
    }

    fn new_code(&self) -> NewCapability {
        code(self.next.fetch_add(1, Ordering::Relaxed))
    }
}

fn code(number: u64) -> NewCapability {
    // Spread, so that hashes do not share their beginnings.
    let spread = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    NewCapability {
        by: ann(),
        hash: CodeHash::parse(&format!("{spread:016x}{number:048x}")).unwrap(),
        code: "const issue = await capstan.issue.view({number: args.number});\nreturn issue.title;"
            .to_owned(),
        intent: "read the title of an issue".to_owned(),
        namespace: "issue".to_owned(),
        parameters: json!({"type": "object", "properties": {"number": {}}}),
        calls: vec!["issue.view".to_owned()],
        used: Use {
            ok: true,
            latency_ms: 12.5,
            at: 1000,
        },
        trace: None,
    }
}

fn ann() -> Viewer {
    Viewer {
        scope: Scope::default(),
        user: "ann".to_owned(),
    }
}

/// New code, so many at once.
#[divan::bench(args = [1, 64], sample_count = 50)]
fn register(bencher: Bencher<'_, '_>, at_once: u64) {
    let world = World::with(1000);
    bencher.counter(ItemsCount::new(at_once)).bench_local(|| {
        let runs = (0..at_once).map(|_| world.store.register(world.new_code()));
        block_on(join_all(runs))
    });
}

/// Code that is known, so many at once.
#[divan::bench(args = [1, 64], sample_count = 50)]
fn register_again(bencher: Bencher<'_, '_>, at_once: u64) {
    let world = World::with(1000);
    bencher.counter(ItemsCount::new(at_once)).bench_local(|| {
        let runs = (0..at_once).map(|number| world.store.register(code(number)));
        block_on(join_all(runs))
    });
}

#[divan::bench(args = ["unnamed_0000000000000000", "local.default.issue.exec_00000000.0000", "nobody"])]
fn resolve_of_10000(bencher: Bencher<'_, '_>, name: &str) {
    let world = World::with(10_000);
    let viewer = ann();
    bencher.bench_local(|| block_on(world.store.resolve(&viewer, name)));
}

#[divan::bench(args = [None, Some(50)], sample_count = 20)]
fn list_of_10000(bencher: Bencher<'_, '_>, limit: Option<u64>) {
    let world = World::with(10_000);
    let (viewer, filter) = (
        ann(),
        Filter {
            limit,
            ..Filter::default()
        },
    );
    bencher.bench_local(|| block_on(world.store.list(&viewer, &filter)));
}

#[divan::bench(args = [None, Some(50)], sample_count = 20)]
fn summaries_of_10000(bencher: Bencher<'_, '_>, limit: Option<u64>) {
    let world = World::with(10_000);
    let (viewer, filter) = (
        ann(),
        Filter {
            limit,
            ..Filter::default()
        },
    );
    bencher.bench_local(|| block_on(world.store.summaries(&viewer, &filter)));
}

/// From nothing in memory to the first answer, as the command line has it.
#[divan::bench(sample_count = 50)]
fn open_and_resolve(bencher: Bencher<'_, '_>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capstan.db");
    let made = SqliteStore::new(file.clone());
    block_on(made.register(code(1))).unwrap();
    let viewer = ann();
    bencher.bench_local(|| {
        let store = SqliteStore::new(file.clone());
        block_on(store.resolve(&viewer, "exec_9e3779b9"))
    });
}
