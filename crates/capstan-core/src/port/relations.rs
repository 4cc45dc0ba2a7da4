//! The part of the store for relations between capabilities, and the observations behind them.

use super::{BoxFuture, Changed, StoreError, Viewer};
use crate::code::{
    Edge, EdgeKind, EdgeSource, Fqdn, Node, Observation, Observed, Timestamp, Trace, TraceId,
};

type Answer<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// The store of relations. A viewer sees a relation if they see both its ends; everybody sees nodes
/// that are not code.
pub trait Relations: Send + Sync {
    /// Adds a relation. What a person states wins over everything else; the newest statement counts
    /// and changes the kind of the existing relation. Of all others the strongest kind stays: a
    /// declared relation replaces the existing one if it is more certain, and an observed one if it
    /// is at least as certain. Code must exist and be visible.
    fn add_edge<'a>(&'a self, viewer: &'a Viewer, edge: NewEdge) -> Answer<'a, Added>;

    /// Observes an existing relation this many times.
    fn observe_edge<'a>(
        &'a self,
        viewer: &'a Viewer,
        from: &'a Node,
        to: &'a Node,
        times: u64,
        at: Timestamp,
    ) -> Answer<'a, Edge>;

    /// Returns the relations of a node: those from it first, then those to it, each in the order of
    /// the other end.
    fn edges<'a>(
        &'a self,
        viewer: &'a Viewer,
        node: &'a Node,
        direction: Direction,
    ) -> Answer<'a, Vec<Edge>>;

    fn count_edges<'a>(&'a self, viewer: &'a Viewer, node: &'a Node) -> Answer<'a, u64>;

    /// Returns all relations above a confidence, in the order of their ends.
    fn all_edges<'a>(&'a self, viewer: &'a Viewer, above: Option<f64>) -> Answer<'a, Vec<Edge>>;

    /// Returns one relation with its observations: those from the viewer's own traces, newest
    /// first, as far as they are still stored.
    fn edge<'a>(
        &'a self,
        viewer: &'a Viewer,
        from: &'a Node,
        to: &'a Node,
    ) -> Answer<'a, Option<(Edge, Vec<Observed>)>>;

    /// Removes a relation, whatever its source. It may be learned again from later executions.
    fn remove_edge<'a>(
        &'a self,
        viewer: &'a Viewer,
        from: &'a Node,
        to: &'a Node,
    ) -> Answer<'a, ()>;

    /// Deletes what was learned about one node or about all visible ones, except what others taught as
    /// well. A stated relation becomes what it was stated as. Returns how many were deleted or changed.
    fn forget_learned<'a>(&'a self, viewer: &'a Viewer, node: Option<&'a Node>) -> Answer<'a, u64>;

    /// Returns the changes of relations since the last call; `since` has the same meaning as for
    /// code.
    fn changed_edges<'a>(
        &'a self,
        viewer: &'a Viewer,
        since: u64,
    ) -> Answer<'a, Changed<Edge, (String, String)>>;

    /// Returns the viewer's own traces from which nothing was learned, oldest first, including
    /// those that are still being stored.
    fn unlearned<'a>(&'a self, viewer: &'a Viewer, limit: u64) -> Answer<'a, Vec<Trace>>;

    /// Stores what a trace teaches, once: the second call does nothing. Observations about code
    /// that is gone or not visible are left out.
    fn learn<'a>(
        &'a self,
        viewer: &'a Viewer,
        trace: &'a TraceId,
        observations: Vec<Observation>,
    ) -> Answer<'a, Learned>;

    /// Returns code that has not been compared with other code, oldest first, including code that
    /// is still being registered.
    fn unrelated<'a>(&'a self, viewer: &'a Viewer, limit: u64) -> Answer<'a, Vec<Fqdn>>;

    /// Returns other code that has enough in common with this code: the newer of both calls at
    /// least half of what the older calls. The largest share comes first, then the oldest. The
    /// limits apply to older code, and to newer code that was compared before this code was there
    /// or visible.
    fn sharing<'a>(
        &'a self,
        viewer: &'a Viewer,
        fqdn: &'a Fqdn,
        limit: u64,
    ) -> Answer<'a, Vec<Sharing>>;

    /// Stores what code has in common with other code, once.
    fn relate<'a>(
        &'a self,
        viewer: &'a Viewer,
        fqdn: &'a Fqdn,
        observations: Vec<Observation>,
        at: Timestamp,
    ) -> Answer<'a, Learned>;
}

/// Which ends of relations are selected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    From,
    To,
    #[default]
    Both,
}

/// A relation to add.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEdge {
    pub from: Node,
    pub to: Node,
    pub kind: EdgeKind,
    pub source: EdgeSource,
    pub at: Timestamp,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Added {
    pub edge: Edge,
    /// Whether nobody had stated or observed it before.
    pub is_new: bool,
    /// The kind before, if it was another.
    pub replaced: Option<EdgeKind>,
    /// The cycle of `contains` that it closes: from one end over all others back to it.
    pub cycle: Option<Vec<Node>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Learned {
    /// How many relations are new or stronger; 0 if the trace was learned before.
    pub changed: u64,
    /// New cycles of `contains`.
    pub cycles: Vec<Vec<Node>>,
}

/// Code, and what it has in common with other code.
#[derive(Clone, Debug, PartialEq)]
pub struct Sharing {
    pub fqdn: Fqdn,
    pub created_at: Timestamp,
    /// All capabilities that it calls.
    pub calls: Vec<String>,
}
