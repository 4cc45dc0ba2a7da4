//! A copy of what a viewer sees, kept up to date by asking for changes.

use std::collections::BTreeMap;

use capstan_core::code::{Edge, Fqdn};
use capstan_core::port::{CodeFilter, CodeSummary, Store, Viewer};

pub(super) struct Mirror {
    viewer: Viewer,
    code: BTreeMap<Fqdn, CodeSummary>,
    code_at: u64,
    edges: BTreeMap<(String, String), Edge>,
    edges_at: u64,
}

impl Mirror {
    pub(super) fn new(viewer: Viewer) -> Self {
        Self {
            viewer,
            code: BTreeMap::new(),
            code_at: 0,
            edges: BTreeMap::new(),
            edges_at: 0,
        }
    }

    /// Asks for changes, and compares the copy with a full list.
    pub(super) async fn update(&mut self, store: &dyn Store) {
        let changed = store.changed_code(&self.viewer, self.code_at).await;
        let changed = changed.unwrap();
        assert!(changed.now >= self.code_at);
        self.code_at = changed.now;
        for fqdn in &changed.gone {
            self.code.remove(fqdn);
        }
        for summary in changed.there {
            let fqdn = summary.record.fqdn.clone();
            assert!(!changed.gone.contains(&fqdn));
            self.code.insert(fqdn, summary);
        }

        let changed = store.changed_edges(&self.viewer, self.edges_at).await;
        let changed = changed.unwrap();
        assert!(changed.now >= self.edges_at);
        self.edges_at = changed.now;
        for ends in &changed.gone {
            self.edges.remove(ends);
        }
        for edge in changed.there {
            let ends = (edge.from.to_string(), edge.to.to_string());
            assert!(!changed.gone.contains(&ends));
            self.edges.insert(ends, edge);
        }
        self.compare(store).await;
    }

    async fn compare(&self, store: &dyn Store) {
        let seen = store.summaries(&self.viewer, &CodeFilter::default()).await;
        let seen = seen.unwrap().into_iter();
        let seen: BTreeMap<_, _> = seen.map(|it| (it.record.fqdn.clone(), it)).collect();
        assert_eq!(self.code, seen, "{:?}", self.viewer);

        let seen = store.all_edges(&self.viewer, None).await.unwrap();
        let copy: Vec<_> = self.edges.values().cloned().collect();
        assert_eq!(copy, seen, "{:?}", self.viewer);
    }
}
