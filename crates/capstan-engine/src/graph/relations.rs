//! What can be asked and said about relations, for agents, people and the HTTP API alike.

use capstan_core::code::{Edge, EdgeKind, EdgeSource, Node, Observed};
use capstan_core::port::{Added, Direction, NewEdge, Store, StoreError};
use capstan_core::{ErrorCode, ResultError};

use super::learn::contains_itself;
use crate::Capstan;
use crate::capability::broken;

/// Which relations are wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Related {
    /// Only those of a capability.
    pub capability: Option<String>,
    pub direction: Direction,
    pub kind: Option<EdgeKind>,
    pub source: Option<EdgeSource>,
    /// Only those that are at least this sure.
    pub min_confidence: Option<f64>,
}

impl Related {
    fn wants(&self, edge: &Edge) -> bool {
        self.kind.is_none_or(|kind| kind == edge.kind)
            && self.source.is_none_or(|source| source == edge.source)
            && self
                .min_confidence
                .is_none_or(|least| edge.confidence() >= least)
    }
}

impl Capstan {
    /// The relations that are kept, in a stable order.
    pub async fn related(&self, wanted: &Related) -> Result<Vec<Edge>, ResultError> {
        let store = self.memory()?;
        let viewer = self.viewer();
        let found = match &wanted.capability {
            Some(name) => {
                let node = self.node_or_name(name).await?;
                let found = store.edges(viewer, &node, wanted.direction).await;
                let found = found.map_err(|error| broken(&error))?;
                if found.is_empty() {
                    // A name that means nothing is a mistake; one without relations is none.
                    self.node(name).await?;
                }
                found
            }
            None => {
                let found = store.all_edges(viewer, None).await;
                found.map_err(|error| broken(&error))?
            }
        };
        Ok(found
            .into_iter()
            .filter(|edge| wanted.wants(edge))
            .collect())
    }

    /// How many relations a capability has, in both directions.
    pub async fn count_related(&self, node: &Node) -> Result<u64, ResultError> {
        let count = self.memory()?.count_edges(self.viewer(), node).await;
        count.map_err(|error| broken(&error))
    }

    /// One, with what it was learned from.
    pub async fn relation(
        &self,
        from: &str,
        to: &str,
    ) -> Result<(Edge, Vec<Observed>), ResultError> {
        let (from, to) = (self.node_or_name(from).await?, self.node_or_name(to).await?);
        let found = self.memory()?.edge(self.viewer(), &from, &to).await;
        let found = found.map_err(|error| broken(&error))?;
        found.ok_or_else(|| unrelated(&from, &to))
    }

    /// States a relation.
    pub async fn relate(
        &self,
        from: &str,
        to: &str,
        kind: EdgeKind,
        source: EdgeSource,
    ) -> Result<Added, ResultError> {
        let (from, to) = (self.node(from).await?, self.node(to).await?);
        self.check_own(&from)?;
        let edge = NewEdge {
            from,
            to,
            kind,
            source,
            at: self.timestamp(),
        };
        let added = self.memory()?.add_edge(self.viewer(), edge).await;
        added.map_err(|error| broken(&error))
    }

    /// Forgets one. What was executed until now does not bring it back.
    pub async fn unrelate(&self, from: &str, to: &str) -> Result<(Node, Node), ResultError> {
        let (from, to) = (self.node_or_name(from).await?, self.node_or_name(to).await?);
        self.check_own(&from)?;
        self.learn().await?;
        let removed = self.memory()?.remove_edge(self.viewer(), &from, &to).await;
        match removed {
            Ok(()) => Ok((from, to)),
            Err(StoreError::NotFound(_)) => Err(unrelated(&from, &to)),
            Err(error) => Err(broken(&error)),
        }
    }

    /// Forgets what was learned about one, or about everything. What was executed until now does not bring it
    /// back. Says how many relations it were.
    pub async fn forget_learned(&self, name: Option<&str>) -> Result<u64, ResultError> {
        let node = match name {
            Some(name) => Some(self.node_or_name(name).await?),
            None => None,
        };
        node.iter().try_for_each(|node| self.check_own(node))?;
        self.learn().await?;
        let forgotten = self
            .memory()?
            .forget_learned(self.viewer(), node.as_ref())
            .await;
        let forgotten = forgotten.map_err(|error| broken(&error))?;
        if let (0, Some(name)) = (forgotten, name) {
            // A name that means nothing is a mistake; one without relations is none.
            self.node(name).await?;
        }
        Ok(forgotten)
    }

    pub(super) fn memory(&self) -> Result<&dyn Store, ResultError> {
        self.store().ok_or_else(|| {
            let message = "nothing is remembered here: there is no store";
            ResultError::new(ErrorCode::AdapterUnsupported, message)
        })
    }

    /// Others' code is not theirs to change.
    fn check_own(&self, node: &Node) -> Result<(), ResultError> {
        let ours = &self.viewer().scope;
        match node.code() {
            Some(fqdn) if !fqdn.as_str().starts_with(&format!("{ours}.")) => {
                let message = format!(
                    "{fqdn} belongs to another project, and its relations can only be changed \
                     there; this is {ours}"
                );
                Err(ResultError::new(ErrorCode::Policy, message))
            }
            _ => Ok(()),
        }
    }
}

/// What somebody who stated a relation is to be told: that it became something else, and what contains
/// itself by it.
pub fn warnings_of(added: &Added, kind: EdgeKind, source: EdgeSource) -> Vec<String> {
    let cycle = added.cycle.iter().map(|path| contains_itself(path));
    not_taken(&added.edge, kind, source)
        .into_iter()
        .chain(cycle)
        .collect()
}

fn not_taken(edge: &Edge, kind: EdgeKind, source: EdgeSource) -> Option<String> {
    // What is said often enough is observed: that is no refusal.
    let is_counted = (source, edge.source) == (EdgeSource::Inferred, EdgeSource::Observed);
    if edge.kind == kind && (edge.source == source || is_counted) {
        return None;
    }
    let shown =
        |kind: EdgeKind, source: EdgeSource| format!("{} ({})", kind.as_str(), source.as_str());
    let (is, asked) = (shown(edge.kind, edge.source), shown(kind, source));
    Some(format!(
        "this is {is}, not {asked}: what is known of it is stronger, and only what is stated as manual changes it"
    ))
}

fn unrelated(from: &Node, to: &Node) -> ResultError {
    let message = format!("there is no relation from `{from}` to `{to}`");
    ResultError::new(ErrorCode::NotFound, message)
}
