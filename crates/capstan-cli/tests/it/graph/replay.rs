//! A thousand executions teach the same, in whatever order they are learned from, and teach once.

use std::sync::Arc;

use capstan_catalog::Catalog;
use capstan_core::Redactor;
use capstan_core::code::{
    CodeHash, Edge, EdgeKind, Mode, Trace, TraceCall, TraceId, TraceState, Use,
};
use capstan_core::port::{NewCapability, Relations as _, Store as _, Viewer};
use capstan_engine::{Capstan, Services, Settings};
use capstan_store::SqliteStore;
use serde_json::{Value, json};

use crate::support::QuickClock;

const IDS: [&str; 8] = [
    "issue.list",
    "issue.view",
    "issue.close",
    "issue.comments.create",
    "pr.list",
    "pr.view",
    "pr.merge",
    "release.list",
];

fn chance() -> fastrand::Rng {
    fastrand::Rng::with_seed(7)
}

/// Single calls that follow each other, chains, and code whose calls pass values on.
fn trace(chance: &mut fastrand::Rng, number: i64) -> Trace {
    let calls = chance.usize(1..6);
    let mode = match calls {
        1 => Mode::Single,
        _ => *chance.choice(&[Mode::Chain, Mode::Direct]).unwrap(),
    };
    let mut given: Vec<u64> = Vec::new();
    let calls = (0..calls).map(|place| {
        let start = 1_000 * place as u64;
        let number = 100 + chance.u64(..1_000_000);
        let input: Value = match chance.choice(&given) {
            Some(known) if chance.bool() => json!({"owner": "acme", "number": known}),
            _ => json!({"owner": "acme"}),
        };
        given.push(number);
        TraceCall {
            capability: (*chance.choice(&IDS).unwrap()).to_owned(),
            code: None,
            step: None,
            within: None,
            batch: place as u32,
            started_us: start,
            duration_us: 500,
            ok: chance.u8(..10) > 0,
            error_code: None,
            error: None,
            outcome: None,
            input,
            output: json!({"number": number}),
        }
    });
    let calls = calls.collect();
    Trace {
        id: TraceId::new(number, chance.u64(..)),
        mode,
        state: TraceState::Ended,
        intent: None,
        capability: None,
        input: Value::Null,
        follows: None,
        started_at: number,
        duration_us: 10_000,
        ok: true,
        error_code: None,
        error: None,
        calls,
        console: Vec::new(),
        console_cut: false,
    }
}

struct World {
    capstan: Capstan,
    store: Arc<SqliteStore>,
    viewer: Viewer,
}

impl World {
    fn new() -> Self {
        let store = Arc::new(SqliteStore::in_memory());
        let settings = Settings::default();
        let viewer = settings.viewer.clone();
        let services = Services {
            store: Some(store.clone()),
            ..Services::default()
        };
        let capstan = Capstan::new(
            Catalog::new(&capstan_cards::CARDS),
            Vec::new(),
            Arc::new(QuickClock::default()),
            Redactor::default(),
            settings,
            services,
        );
        Self {
            capstan,
            store,
            viewer,
        }
    }

    /// Keeps some traces, and learns from them before the next come.
    async fn execute(&self, traces: &[Trace]) -> u64 {
        for trace in traces {
            self.store
                .add_trace(&self.viewer, trace.clone())
                .await
                .unwrap();
        }
        self.capstan.discovery().learn().await.unwrap()
    }

    /// Registers code that calls these.
    async fn register(&self, number: usize, at: usize, calls: Vec<String>) {
        let new = NewCapability {
            by: self.viewer.clone(),
            hash: hash(number),
            code: format!("return {number}"),
            // No two sound alike.
            intent: format!("purpose {number}"),
            namespace: "code".to_owned(),
            parameters: json!({"type": "object"}),
            calls,
            used: Use {
                ok: true,
                latency_ms: 1.0,
                at: i64::try_from(at).unwrap(),
            },
            trace: None,
        };
        self.store.register(new).await.unwrap();
    }

    /// What code has in common with other code, by the ends.
    async fn in_common(&self) -> Vec<(String, String)> {
        let edges = self.store.all_edges(&self.viewer, None).await.unwrap();
        let edges = edges.iter().filter(|it| it.kind == EdgeKind::Sequence);
        edges
            .map(|it| (it.from.to_string(), it.to.to_string()))
            .collect()
    }

    async fn graph(&self) -> (Vec<Edge>, String) {
        let edges = self.store.all_edges(&self.viewer, None).await.unwrap();
        (
            edges,
            self.capstan.discovery().graph_digest().await.unwrap(),
        )
    }
}

#[tokio::test]
async fn a_thousand_traces_give_the_same_graph_in_any_order() {
    let mut chance = chance();
    let mut traces: Vec<_> = (0..1000).map(|number| trace(&mut chance, number)).collect();
    let mut graphs = Vec::new();
    for _ in 0..3 {
        let world = World::new();
        for some in traces.chunks(97) {
            world.execute(some).await;
        }
        let graph = world.graph().await;
        assert!(graph.0.len() > 50, "{}", graph.0.len());
        // Once more is nothing new.
        assert_eq!(world.execute(&traces).await, 0);
        assert_eq!(world.graph().await, graph);
        graphs.push(graph);
        chance.shuffle(&mut traces);
    }
    assert_eq!(graphs[0], graphs[1]);
    assert_eq!(graphs[0], graphs[2]);
}

/// A hash that tells nothing but which it is, and not in the order of the numbers.
fn hash(number: usize) -> CodeHash {
    let mixed = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    CodeHash::parse(&format!("{mixed:016x}").repeat(4)).unwrap()
}

/// Each is compared as soon as it is there, all are when all are there, or some together: more than each is
/// compared with, so that it matters which, or some that are as old as others.
#[tokio::test]
async fn code_is_compared_with_the_same_whenever_it_is_compared() {
    let mut chance = chance();
    for (many, as_old, least) in [(150, 1, 1000), (20, 3, 50)] {
        let codes: Vec<Vec<String>> = (0..many)
            .map(|_| {
                let calls = 0..chance.usize(1..5);
                let mut call = || chance.choice(IDS).unwrap().to_owned();
                calls.map(|_| call()).collect()
            })
            .collect();
        let mut found = Vec::new();
        for at_once in [1, 7, 60, many] {
            let world = World::new();
            for (number, calls) in codes.iter().enumerate() {
                world.register(number, number / as_old, calls.clone()).await;
                if (number + 1) % at_once == 0 {
                    world.capstan.discovery().learn().await.unwrap();
                }
            }
            world.capstan.discovery().learn().await.unwrap();
            found.push(world.in_common().await);
        }
        assert!(found[0].len() > least, "{}", found[0].len());
        for other in &found[1..] {
            assert_eq!(found[0], *other);
        }
    }
}
