//! A thousand executions teach the same, in whatever order they are learned from, and teach once.

use std::sync::Arc;

use capstan_catalog::Catalog;
use capstan_core::Redactor;
use capstan_core::code::{Edge, Mode, Trace, TraceCall, TraceId};
use capstan_core::port::{Relations as _, Store as _, Viewer};
use capstan_engine::{Capstan, Parts, Settings};
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
            input,
            output: json!({"number": number}),
        }
    });
    let calls = calls.collect();
    Trace {
        id: TraceId::new(number, chance.u64(..)),
        mode,
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
        let capstan = Capstan::new(
            Catalog::new(capstan_cards::CARDS),
            Vec::new(),
            Arc::new(QuickClock::default()),
            Redactor::default(),
            settings,
        );
        let parts = Parts {
            store: Some(store.clone()),
            ..Parts::default()
        };
        Self {
            capstan: capstan.with(parts),
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
        self.capstan.learn().await.unwrap()
    }

    async fn graph(&self) -> (Vec<Edge>, String) {
        let edges = self.store.all_edges(&self.viewer, None).await.unwrap();
        (edges, self.capstan.graph_digest().await.unwrap())
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
