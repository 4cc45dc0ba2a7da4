//! How fast things are remembered and found, in a file that is on a disk.

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark that cannot go on has failed"
)]

use std::sync::atomic::{AtomicU64, Ordering};

use capstan_core::code::{
    CodeHash, EdgeKind, Evidence, Mode, Node, Observation, Scope, Trace, TraceId, TraceState, Use,
};
use capstan_core::port::{
    CodeFilter, Direction, NewCapability, Relations as _, Store as _, Viewer,
};
use capstan_store::SqliteStore;
use divan::Bencher;
use divan::counter::ItemsCount;
use futures_executor::block_on;
use futures_util::future::join_all;
use serde_json::{Value, json};
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
        CodeFilter {
            limit,
            ..CodeFilter::default()
        },
    );
    bencher.bench_local(|| block_on(world.store.list(&viewer, &filter)));
}

#[divan::bench(args = [None, Some(50)], sample_count = 20)]
fn summaries_of_10000(bencher: Bencher<'_, '_>, limit: Option<u64>) {
    let world = World::with(10_000);
    let (viewer, filter) = (
        ann(),
        CodeFilter {
            limit,
            ..CodeFilter::default()
        },
    );
    bencher.bench_local(|| block_on(world.store.summaries(&viewer, &filter)));
}

/// Ten relations for each of so many cards, learned from traces.
struct Graph {
    store: SqliteStore,
    next: AtomicU64,
    _folder: TempDir,
}

impl Graph {
    fn with(cards: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::new(folder.path().join("capstan.db"));
        let graph = Self {
            store,
            next: AtomicU64::new(0),
            _folder: folder,
        };
        block_on(join_all((0..cards).map(|_| graph.learn())));
        graph
    }

    /// What one more trace says: ten relations of one card.
    async fn learn(&self) {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let seen = (1..=10).map(|step| Observation {
            from: card(number),
            to: card(number * 7 + step),
            kind: EdgeKind::Sequence,
            times: 1,
            evidence: Evidence::Followed,
        });
        let trace = trace(number);
        let (viewer, id) = (ann(), trace.id.clone());
        let kept = self.store.add_trace(&viewer, trace);
        let learned = self.store.learn(&viewer, &id, seen.collect());
        kept.await.unwrap();
        learned.await.unwrap();
    }
}

fn card(number: u64) -> Node {
    Node::Named(format!("domain{}.action{}", number % 50, number % 20_000))
}

fn trace(number: u64) -> Trace {
    let at = i64::try_from(number).unwrap();
    Trace {
        id: TraceId::new(at, 0),
        mode: Mode::Single,
        state: TraceState::Ended,
        intent: None,
        capability: None,
        input: Value::Null,
        follows: None,
        started_at: at,
        duration_us: 1,
        ok: true,
        error_code: None,
        error: None,
        calls: Vec::new(),
        console: Vec::new(),
        console_cut: false,
    }
}

/// Of 100,000.
#[divan::bench]
fn relations_of_one(bencher: Bencher<'_, '_>) {
    let graph = Graph::with(10_000);
    let (viewer, node) = (ann(), card(4321));
    bencher.bench_local(|| block_on(graph.store.edges(&viewer, &node, Direction::Both)));
}

/// Of 100,000.
#[divan::bench(sample_count = 20)]
fn all_relations(bencher: Bencher<'_, '_>) {
    let graph = Graph::with(10_000);
    let viewer = ann();
    bencher.bench_local(|| block_on(graph.store.all_edges(&viewer, Some(0.3))));
}

/// What changed since the last of so many traces, and since none of them.
#[divan::bench(args = [0, 1, 100])]
fn changed_relations(bencher: Bencher<'_, '_>, traces: u64) {
    let graph = Graph::with(10_000);
    let viewer = ann();
    let before = block_on(graph.store.changed_edges(&viewer, 0)).unwrap().now;
    block_on(join_all((0..traces).map(|_| graph.learn())));
    bencher.bench_local(|| block_on(graph.store.changed_edges(&viewer, before)));
}

/// From so many traces at once, ten relations each.
#[divan::bench(args = [1, 64], sample_count = 50)]
fn learn(bencher: Bencher<'_, '_>, at_once: u64) {
    let graph = Graph::with(1000);
    bencher
        .counter(ItemsCount::new(at_once))
        .bench_local(|| block_on(join_all((0..at_once).map(|_| graph.learn()))));
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
