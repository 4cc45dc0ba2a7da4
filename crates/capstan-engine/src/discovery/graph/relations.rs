//! What can be asked and said about relations, for agents, people and the HTTP API alike.

use capstan_core::code::{Edge, EdgeKind, EdgeSource, Node, Observed};
use capstan_core::port::{Added, Direction, NewEdge, Store, StoreError};
use capstan_core::{ErrorCode, ResultError};
use capstan_graph::Relation;

use super::learn::contains_itself;
use crate::capability::store_error;
use crate::discovery::Discovery;

/// Which relations are wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Related {
    /// OnlyKind those of a capability.
    pub capability: Option<String>,
    pub direction: Direction,
    pub kind: Option<EdgeKind>,
    pub source: Option<EdgeSource>,
    /// OnlyKind those that are at least this sure.
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

/// A relation, as every view shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownEdge {
    pub edge: Edge,
    /// It stands in a skill or in code, and is kept nowhere else. Nobody knows since when.
    pub is_declared: bool,
}

impl KnownEdge {
    fn kept(edge: Edge) -> Self {
        Self {
            edge,
            is_declared: false,
        }
    }

    fn declared(relation: &Relation) -> Self {
        Self {
            edge: Edge {
                from: relation.from.clone(),
                to: relation.to.clone(),
                kind: relation.kind,
                source: relation.source,
                observed: relation.observed,
                created_at: 0,
                last_observed: 0,
            },
            is_declared: true,
        }
    }

    fn ends(&self) -> (&Node, &Node) {
        (&self.edge.from, &self.edge.to)
    }
}

impl Discovery {
    /// The relations that are kept and those that skills and code declare, in a stable order: the same as in the
    /// graph, and those that are too weak for it.
    pub async fn related(&self, wanted: &Related) -> Result<Vec<KnownEdge>, ResultError> {
        let store = self.memory()?;
        let viewer = self.shared.viewer();
        let (node, kept, declared) = match &wanted.capability {
            Some(name) => {
                let node = self.node_or_name(name).await?;
                let kept = store.edges(viewer, &node, wanted.direction).await;
                let kept = kept.map_err(|error| store_error(&error))?;
                let declared = self.declared_of(&node, wanted.direction).await?;
                if kept.is_empty() && declared.is_empty() {
                    // A name that means nothing is a mistake; one without relations is none.
                    self.node(name).await?;
                }
                (Some(node), kept, declared)
            }
            None => {
                let kept = store.all_edges(viewer, None).await;
                let kept = kept.map_err(|error| store_error(&error))?;
                let declared = self.atlas().await?.read().graph.declared();
                (None, kept, declared)
            }
        };
        let mut found = merged(kept, &declared);
        found.sort_by(|one, two| {
            let is_from = |it: &KnownEdge| node.as_ref() == Some(&it.edge.from);
            let order = is_from(two).cmp(&is_from(one));
            order.then_with(|| one.ends().cmp(&two.ends()))
        });
        found.retain(|it| wanted.wants(&it.edge));
        Ok(found)
    }

    /// How many relations a capability has, in both directions.
    pub async fn count_related(&self, node: &Node) -> Result<u64, ResultError> {
        let store = self.memory()?;
        let declared = self.declared_of(node, Direction::Both).await?;
        if declared.is_empty() {
            let count = store.count_edges(self.shared.viewer(), node).await;
            return count.map_err(|error| store_error(&error));
        }
        let kept = store
            .edges(self.shared.viewer(), node, Direction::Both)
            .await;
        let kept = kept.map_err(|error| store_error(&error))?;
        Ok(merged(kept, &declared).len() as u64)
    }

    /// One, with what it was learned from.
    pub async fn relation(
        &self,
        from: &str,
        to: &str,
    ) -> Result<(KnownEdge, Vec<Observed>), ResultError> {
        let names = (from, to);
        let (from, to) = (self.node_or_name(from).await?, self.node_or_name(to).await?);
        let found = self.memory()?.edge(self.shared.viewer(), &from, &to).await;
        let found = found.map_err(|error| store_error(&error))?;
        let declared = self.declared_between(&from, &to).await?;
        match (found, declared) {
            (Some((_, observed)), Some(declared)) => Ok((declared, observed)),
            (Some((edge, observed)), None) => Ok((KnownEdge::kept(edge), observed)),
            (None, Some(declared)) => Ok((declared, Vec::new())),
            (None, None) => {
                self.check_names(names).await?;
                Err(unrelated(&from, &to))
            }
        }
    }

    /// Counts that a relation was seen so many more times. Three times in all make it observed. What a skill or code
    /// declares is kept from then on.
    pub async fn observe_relation(
        &self,
        from: &str,
        to: &str,
        times: u64,
    ) -> Result<Edge, ResultError> {
        let names = (from, to);
        let (from, to) = (self.node_or_name(from).await?, self.node_or_name(to).await?);
        self.check_own(&from)?;
        let store = self.memory()?;
        if let Some(declared) = self.declared_between(&from, &to).await? {
            let edge = NewEdge {
                from: from.clone(),
                to: to.clone(),
                kind: declared.edge.kind,
                source: EdgeSource::Template,
                at: self.shared.timestamp(),
            };
            let added = store.add_edge(self.shared.viewer(), edge).await;
            added.map_err(|error| store_error(&error))?;
        }
        let at = self.shared.timestamp();
        let seen = store.observe_edge(self.shared.viewer(), &from, &to, times, at);
        match seen.await {
            Ok(edge) => Ok(edge),
            Err(StoreError::NotFound(_)) => {
                self.check_names(names).await?;
                let mut error = unrelated(&from, &to);
                error.message = format!("{}: state it first, with `dep.add`", error.message);
                Err(error)
            }
            Err(error) => Err(store_error(&error)),
        }
    }

    /// What skills and code declare about one, as far as nothing that is kept hides it.
    async fn declared_of(
        &self,
        node: &Node,
        direction: Direction,
    ) -> Result<Vec<Relation>, ResultError> {
        let atlas = self.atlas().await?;
        let mut relations = atlas.read().graph.edges(node, direction);
        relations.retain(|it| it.declared);
        Ok(relations)
    }

    async fn declared_between(
        &self,
        from: &Node,
        to: &Node,
    ) -> Result<Option<KnownEdge>, ResultError> {
        let relation = self.atlas().await?.read().graph.edge(from, to);
        let declared = relation.filter(|it| it.declared);
        Ok(declared.map(|it| KnownEdge::declared(&it)))
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
            at: self.shared.timestamp(),
        };
        let added = self.memory()?.add_edge(self.shared.viewer(), edge).await;
        added.map_err(|error| store_error(&error))
    }

    /// Forgets one. What was executed until now does not bring it back.
    pub async fn unrelate(&self, from: &str, to: &str) -> Result<(Node, Node), ResultError> {
        let names = (from, to);
        let (from, to) = (self.node_or_name(from).await?, self.node_or_name(to).await?);
        self.check_own(&from)?;
        self.learn().await?;
        let removed = self
            .memory()?
            .remove_edge(self.shared.viewer(), &from, &to)
            .await;
        match removed {
            Ok(()) => Ok((from, to)),
            Err(StoreError::NotFound(_)) => {
                let mut error = unrelated(&from, &to);
                if self.declared_between(&from, &to).await?.is_some() {
                    error.message = format!(
                        "the relation from `{from}` to `{to}` stands in a skill or in code, and nowhere else: change \
                         it there"
                    );
                } else {
                    self.check_names(names).await?;
                }
                Err(error)
            }
            Err(error) => Err(store_error(&error)),
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
            .forget_learned(self.shared.viewer(), node.as_ref())
            .await;
        let forgotten = forgotten.map_err(|error| store_error(&error))?;
        if let (0, Some(name)) = (forgotten, name) {
            // A name that means nothing is a mistake; one without relations is none.
            self.node(name).await?;
        }
        Ok(forgotten)
    }

    /// A name that means nothing is a mistake, and is told as one where a relation was not found.
    async fn check_names(&self, (from, to): (&str, &str)) -> Result<(), ResultError> {
        self.node(from).await?;
        self.node(to).await?;
        Ok(())
    }

    pub(super) fn memory(&self) -> Result<&dyn Store, ResultError> {
        self.shared.store().ok_or_else(|| {
            let message = "nothing is remembered here: there is no store";
            ResultError::new(ErrorCode::AdapterUnsupported, message)
        })
    }

    /// Others' code is not theirs to change.
    fn check_own(&self, node: &Node) -> Result<(), ResultError> {
        let ours = &self.shared.viewer().scope;
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

/// What is declared takes the place of what is kept of the same two: it is in the graph only where that is too weak.
fn merged(kept: Vec<Edge>, declared: &[Relation]) -> Vec<KnownEdge> {
    let is_hidden = |edge: &Edge| {
        let mut declared = declared.iter();
        declared.any(|it| (&it.from, &it.to) == (&edge.from, &edge.to))
    };
    let kept = kept.into_iter().filter(|edge| !is_hidden(edge));
    let kept = kept.map(KnownEdge::kept);
    kept.chain(declared.iter().map(KnownEdge::declared))
        .collect()
}

fn unrelated(from: &Node, to: &Node) -> ResultError {
    let message = format!("there is no relation from `{from}` to `{to}`");
    ResultError::new(ErrorCode::NotFound, message)
}
