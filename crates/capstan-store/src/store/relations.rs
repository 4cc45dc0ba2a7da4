//! The `Relations` port: relations between capabilities.

use capstan_core::code::{Edge, Fqdn, Node, Observation, Observed, Timestamp, Trace, TraceId};
use capstan_core::port::{Added, Changed, Direction, Learned, NewEdge, Relations, Sharing, Viewer};

use super::{SqliteStore, StoreFuture, unchanged};
use crate::relations;

impl Relations for SqliteStore {
    fn add_edge<'a>(&'a self, viewer: &'a Viewer, edge: NewEdge) -> StoreFuture<'a, Added> {
        let viewer = viewer.clone();
        self.write(move |connection| relations::add(connection, &viewer, &edge))
    }

    fn observe_edge<'a>(
        &'a self,
        viewer: &'a Viewer,
        from: &'a Node,
        to: &'a Node,
        times: u64,
        at: Timestamp,
    ) -> StoreFuture<'a, Edge> {
        let (viewer, from, to) = (viewer.clone(), from.clone(), to.clone());
        self.write(move |connection| {
            relations::observe(connection, &viewer, (&from, &to), times, at)
        })
    }

    fn edges<'a>(
        &'a self,
        viewer: &'a Viewer,
        node: &'a Node,
        direction: Direction,
    ) -> StoreFuture<'a, Vec<Edge>> {
        let (viewer, node) = (viewer.clone(), node.clone());
        self.read(Ok(Vec::new()), move |connection| {
            relations::edges_of_node(connection, &viewer, &node, direction)
        })
    }

    fn count_edges<'a>(&'a self, viewer: &'a Viewer, node: &'a Node) -> StoreFuture<'a, u64> {
        let (viewer, node) = (viewer.clone(), node.clone());
        self.read(Ok(0), move |connection| {
            relations::count(connection, &viewer, &node)
        })
    }

    fn all_edges<'a>(
        &'a self,
        viewer: &'a Viewer,
        above: Option<f64>,
    ) -> StoreFuture<'a, Vec<Edge>> {
        let viewer = viewer.clone();
        self.read(Ok(Vec::new()), move |connection| {
            relations::all(connection, &viewer, above)
        })
    }

    fn edge<'a>(
        &'a self,
        viewer: &'a Viewer,
        from: &'a Node,
        to: &'a Node,
    ) -> StoreFuture<'a, Option<(Edge, Vec<Observed>)>> {
        let (viewer, from, to) = (viewer.clone(), from.clone(), to.clone());
        self.read(Ok(None), move |connection| {
            relations::with_observations(connection, &viewer, (&from, &to))
        })
    }

    fn remove_edge<'a>(
        &'a self,
        viewer: &'a Viewer,
        from: &'a Node,
        to: &'a Node,
    ) -> StoreFuture<'a, ()> {
        let (viewer, from, to) = (viewer.clone(), from.clone(), to.clone());
        self.write(move |connection| relations::remove(connection, &viewer, (&from, &to)))
    }

    fn forget_learned<'a>(
        &'a self,
        viewer: &'a Viewer,
        node: Option<&'a Node>,
    ) -> StoreFuture<'a, u64> {
        let (viewer, node) = (viewer.clone(), node.cloned());
        self.write(move |connection| relations::forget_learned(connection, &viewer, node.as_ref()))
    }

    fn changed_edges<'a>(
        &'a self,
        viewer: &'a Viewer,
        since: u64,
    ) -> StoreFuture<'a, Changed<Edge, (String, String)>> {
        let viewer = viewer.clone();
        self.read(Ok(unchanged()), move |connection| {
            relations::changed(connection, &viewer, since)
        })
    }

    fn unlearned<'a>(&'a self, viewer: &'a Viewer, limit: u64) -> StoreFuture<'a, Vec<Trace>> {
        let viewer = viewer.clone();
        self.read_after_writes(Ok(Vec::new()), move |connection| {
            relations::unlearned(connection, &viewer, limit)
        })
    }

    fn learn<'a>(
        &'a self,
        viewer: &'a Viewer,
        trace: &'a TraceId,
        observations: Vec<Observation>,
    ) -> StoreFuture<'a, Learned> {
        let (viewer, trace) = (viewer.clone(), trace.clone());
        self.write(move |connection| relations::learn(connection, &viewer, &trace, &observations))
    }

    fn unrelated<'a>(&'a self, viewer: &'a Viewer, limit: u64) -> StoreFuture<'a, Vec<Fqdn>> {
        let viewer = viewer.clone();
        self.read_after_writes(Ok(Vec::new()), move |connection| {
            relations::unrelated(connection, &viewer, limit)
        })
    }

    fn sharing<'a>(
        &'a self,
        viewer: &'a Viewer,
        fqdn: &'a Fqdn,
        limit: u64,
    ) -> StoreFuture<'a, Vec<Sharing>> {
        let (viewer, fqdn) = (viewer.clone(), fqdn.clone());
        self.read(Ok(Vec::new()), move |connection| {
            relations::sharing(connection, &viewer, &fqdn, limit)
        })
    }

    fn relate<'a>(
        &'a self,
        viewer: &'a Viewer,
        fqdn: &'a Fqdn,
        observations: Vec<Observation>,
        at: Timestamp,
    ) -> StoreFuture<'a, Learned> {
        let (viewer, fqdn) = (viewer.clone(), fqdn.clone());
        self.write(move |connection| {
            relations::relate(connection, &viewer, &fqdn, &observations, at)
        })
    }
}
