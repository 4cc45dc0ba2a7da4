//! The part of the store that holds relations between capabilities, and what they were learned from.

use super::{BoxFuture, Changed, StoreError, Viewer};
use crate::code::{
    Edge, EdgeKind, EdgeSource, Fqdn, Node, Observation, Observed, Timestamp, Trace, TraceId,
};

type Answer<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// A relation is seen by those who see both its ends; what is no code is seen by everybody.
pub trait Relations: Send + Sync {
    /// States a relation. What a person states stands, the newest last, and changes the kind of what
    /// was there. Of everything else the strongest kind stays. What is declared takes the place of what is known
    /// if it is surer; what is observed takes its place as soon as that is at least as sure.
    /// Code must be there, and be seen.
    fn add_edge<'a>(&'a self, viewer: &'a Viewer, edge: NewEdge) -> Answer<'a, Added>;

    /// Observes a relation that is there, so many times.
    fn observe_edge<'a>(
        &'a self,
        viewer: &'a Viewer,
        from: &'a Node,
        to: &'a Node,
        times: u64,
        at: Timestamp,
    ) -> Answer<'a, Edge>;

    /// Those of one: from it first, then to it, in the order of the other end.
    fn edges<'a>(
        &'a self,
        viewer: &'a Viewer,
        node: &'a Node,
        direction: Direction,
    ) -> Answer<'a, Vec<Edge>>;

    fn count_edges<'a>(&'a self, viewer: &'a Viewer, node: &'a Node) -> Answer<'a, u64>;

    /// Everything above a confidence, in the order of the ends.
    fn all_edges<'a>(&'a self, viewer: &'a Viewer, above: Option<f64>) -> Answer<'a, Vec<Edge>>;

    /// One, with what it was learned from: the viewer's own traces, newest first, as far as they are
    /// still kept.
    fn edge<'a>(
        &'a self,
        viewer: &'a Viewer,
        from: &'a Node,
        to: &'a Node,
    ) -> Answer<'a, Option<(Edge, Vec<Observed>)>>;

    /// Forgets one, whoever stated or taught it. It may be learned again from what happens later.
    fn remove_edge<'a>(
        &'a self,
        viewer: &'a Viewer,
        from: &'a Node,
        to: &'a Node,
    ) -> Answer<'a, ()>;

    /// Forgets what was learned, of one or of all that can be seen, except what others taught as well; what
    /// was stated is again what it was stated as. Says how many.
    fn forget_learned<'a>(&'a self, viewer: &'a Viewer, node: Option<&'a Node>) -> Answer<'a, u64>;

    /// What became of relations since somebody last asked; `since` as for code.
    fn changed_edges<'a>(
        &'a self,
        viewer: &'a Viewer,
        since: u64,
    ) -> Answer<'a, Changed<Edge, (String, String)>>;

    /// Somebody's own traces from which nothing was learned, oldest first; also those that are only being
    /// kept.
    fn unlearned<'a>(&'a self, viewer: &'a Viewer, limit: u64) -> Answer<'a, Vec<Trace>>;

    /// Takes over what a trace says, once: the second time nothing happens. What is of code that is
    /// gone, or not to be seen, is left out.
    fn learn<'a>(
        &'a self,
        viewer: &'a Viewer,
        trace: &'a TraceId,
        observations: Vec<Observation>,
    ) -> Answer<'a, Learned>;

    /// Code of which nobody asked yet what it has in common with other code, oldest first; also what is
    /// only being registered.
    fn unrelated<'a>(&'a self, viewer: &'a Viewer, limit: u64) -> Answer<'a, Vec<Fqdn>>;

    /// Other code with which this one has enough in common: the newer of both calls at least half of what
    /// the older calls. The largest share first, then the oldest. At most so many older ones, and so many
    /// newer ones of which it was asked before this one was there or was seen.
    fn sharing<'a>(
        &'a self,
        viewer: &'a Viewer,
        fqdn: &'a Fqdn,
        limit: u64,
    ) -> Answer<'a, Vec<Sharing>>;

    /// Takes over what code has in common with other code, once.
    fn relate<'a>(
        &'a self,
        viewer: &'a Viewer,
        fqdn: &'a Fqdn,
        observations: Vec<Observation>,
        at: Timestamp,
    ) -> Answer<'a, Learned>;
}

/// Which ends of relations are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    From,
    To,
    #[default]
    Both,
}

/// What somebody states.
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
    /// Nobody had stated or seen it before.
    pub is_new: bool,
    /// What kind it was before, if it was another.
    pub replaced: Option<EdgeKind>,
    /// What contains itself by it: from one end over all others back to it.
    pub cycle: Option<Vec<Node>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Learned {
    /// How many relations are new or stronger. None if it was learned before.
    pub changed: u64,
    /// What contains itself since.
    pub cycles: Vec<Vec<Node>>,
}

/// Code, and what it has in common with other code.
#[derive(Clone, Debug, PartialEq)]
pub struct Sharing {
    pub fqdn: Fqdn,
    pub created_at: Timestamp,
    /// Everything that it calls.
    pub calls: Vec<String>,
}
