//! Reads and changes relations, for agents, people and the HTTP API.

use capstan_core::code::{Edge, EdgeKind, EdgeSource, Node, Observed};
use capstan_core::port::{Added, Direction, NewEdge, Store, StoreError};
use capstan_core::{ErrorCode, ResultError};
use capstan_graph::Relation;

use super::learn::cycle_warning;
use crate::capability::store_error;
use crate::discovery::Discovery;

/// Selects relations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RelationFilter {
    /// Only relations of this capability.
    pub capability: Option<String>,
    pub direction: Direction,
    pub kind: Option<EdgeKind>,
    pub source: Option<EdgeSource>,
    /// Only relations with at least this confidence, from 0 to 1.
    pub min_confidence: Option<f64>,
}

impl RelationFilter {
    fn wants(&self, edge: &Edge) -> bool {
        self.kind.is_none_or(|kind| kind == edge.kind)
            && self.source.is_none_or(|source| source == edge.source)
            && self
                .min_confidence
                .is_none_or(|least| edge.confidence() >= least)
    }
}

/// A relation, as all views show it.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownEdge {
    pub edge: Edge,
    /// Whether it is declared in a skill or in code and stored nowhere else. Its dates are unknown and
    /// therefore 0.
    pub is_declared: bool,
}

impl KnownEdge {
    fn stored(edge: Edge) -> Self {
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
    /// Returns the stored and the declared relations in a stable order: those of the graph, and those that
    /// are too weak for it.
    pub async fn relations(&self, request: &RelationFilter) -> Result<Vec<KnownEdge>, ResultError> {
        let store = self.required_store()?;
        let viewer = self.shared.viewer();
        let (node, stored, declared) = match &request.capability {
            Some(name) => {
                let node = self.node_or_name(name).await?;
                let stored = store.edges(viewer, &node, request.direction).await;
                let stored = stored.map_err(|error| store_error(&error))?;
                let declared = self.declared_of(&node, request.direction).await?;
                if stored.is_empty() && declared.is_empty() {
                    // An unknown name is an error; a capability without relations is not.
                    self.node(name).await?;
                }
                (Some(node), stored, declared)
            }
            None => {
                let stored = store.all_edges(viewer, None).await;
                let stored = stored.map_err(|error| store_error(&error))?;
                let declared = self.current_graph().await?.read().graph.declared();
                (None, stored, declared)
            }
        };
        let mut found = merged(stored, &declared);
        found.sort_by(|one, two| {
            let is_from = |it: &KnownEdge| node.as_ref() == Some(&it.edge.from);
            let order = is_from(two).cmp(&is_from(one));
            order.then_with(|| one.ends().cmp(&two.ends()))
        });
        found.retain(|it| request.wants(&it.edge));
        Ok(found)
    }

    /// Counts the relations of a capability in both directions.
    pub async fn count_relations(&self, node: &Node) -> Result<u64, ResultError> {
        let store = self.required_store()?;
        let declared = self.declared_of(node, Direction::Both).await?;
        if declared.is_empty() {
            let count = store.count_edges(self.shared.viewer(), node).await;
            return count.map_err(|error| store_error(&error));
        }
        let stored = store
            .edges(self.shared.viewer(), node, Direction::Both)
            .await;
        let stored = stored.map_err(|error| store_error(&error))?;
        Ok(merged(stored, &declared).len() as u64)
    }

    /// Returns one relation with the observations behind it.
    pub async fn relation(
        &self,
        from: &str,
        to: &str,
    ) -> Result<(KnownEdge, Vec<Observed>), ResultError> {
        let names = (from, to);
        let (from, to) = (self.node_or_name(from).await?, self.node_or_name(to).await?);
        let found = self
            .required_store()?
            .edge(self.shared.viewer(), &from, &to)
            .await;
        let found = found.map_err(|error| store_error(&error))?;
        let declared = self.declared_between(&from, &to).await?;
        match (found, declared) {
            (Some((_, observed)), Some(declared)) => Ok((declared, observed)),
            (Some((edge, observed)), None) => Ok((KnownEdge::stored(edge), observed)),
            (None, Some(declared)) => Ok((declared, Vec::new())),
            (None, None) => {
                self.check_names(names).await?;
                Err(no_relation_error(&from, &to))
            }
        }
    }

    /// Adds observations to a relation. Three in all make it observed. A declared relation is stored from
    /// then on.
    pub async fn observe_relation(
        &self,
        from: &str,
        to: &str,
        times: u64,
    ) -> Result<Edge, ResultError> {
        let names = (from, to);
        let (from, to) = (self.node_or_name(from).await?, self.node_or_name(to).await?);
        self.check_own(&from)?;
        let store = self.required_store()?;
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
                let mut error = no_relation_error(&from, &to);
                error.message = format!("{}: add it first with `dep.add`", error.message);
                Err(error)
            }
            Err(error) => Err(store_error(&error)),
        }
    }

    /// Returns the declared relations of a node, unless a stored one hides them.
    async fn declared_of(
        &self,
        node: &Node,
        direction: Direction,
    ) -> Result<Vec<Relation>, ResultError> {
        let graph_cache = self.current_graph().await?;
        let mut relations = graph_cache.read().graph.edges(node, direction);
        relations.retain(|it| it.declared);
        Ok(relations)
    }

    async fn declared_between(
        &self,
        from: &Node,
        to: &Node,
    ) -> Result<Option<KnownEdge>, ResultError> {
        let relation = self.current_graph().await?.read().graph.edge(from, to);
        let declared = relation.filter(|it| it.declared);
        Ok(declared.map(|it| KnownEdge::declared(&it)))
    }

    /// Adds a relation.
    pub async fn add_relation(
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
        let added = self
            .required_store()?
            .add_edge(self.shared.viewer(), edge)
            .await;
        added.map_err(|error| store_error(&error))
    }

    /// Removes a relation. Past executions do not bring it back.
    pub async fn remove_relation(&self, from: &str, to: &str) -> Result<(Node, Node), ResultError> {
        let names = (from, to);
        let (from, to) = (self.node_or_name(from).await?, self.node_or_name(to).await?);
        self.check_own(&from)?;
        self.learn().await?;
        let removed = self
            .required_store()?
            .remove_edge(self.shared.viewer(), &from, &to)
            .await;
        match removed {
            Ok(()) => Ok((from, to)),
            Err(StoreError::NotFound(_)) => {
                let mut error = no_relation_error(&from, &to);
                if self.declared_between(&from, &to).await?.is_some() {
                    error.message = format!(
                        "the relation from `{from}` to `{to}` comes only from a skill or code: \
                         change it there"
                    );
                } else {
                    self.check_names(names).await?;
                }
                Err(error)
            }
            Err(error) => Err(store_error(&error)),
        }
    }

    /// Removes the learned relations of one capability, or all of them. Past executions do not bring them
    /// back. Returns how many were removed.
    pub async fn forget_learned(&self, name: Option<&str>) -> Result<u64, ResultError> {
        let node = match name {
            Some(name) => Some(self.node_or_name(name).await?),
            None => None,
        };
        node.iter().try_for_each(|node| self.check_own(node))?;
        self.learn().await?;
        let forgotten = self
            .required_store()?
            .forget_learned(self.shared.viewer(), node.as_ref())
            .await;
        let forgotten = forgotten.map_err(|error| store_error(&error))?;
        if let (0, Some(name)) = (forgotten, name) {
            // An unknown name is an error; a capability without relations is not.
            self.node(name).await?;
        }
        Ok(forgotten)
    }

    /// Fails if one of the names is unknown, so that the error is about the name rather than the relation.
    async fn check_names(&self, (from, to): (&str, &str)) -> Result<(), ResultError> {
        self.node(from).await?;
        self.node(to).await?;
        Ok(())
    }

    pub(super) fn required_store(&self) -> Result<&dyn Store, ResultError> {
        self.shared.store().ok_or_else(|| {
            let message = "nothing is remembered here: there is no store";
            ResultError::new(ErrorCode::AdapterUnsupported, message)
        })
    }

    /// Refuses to change relations of another project's code.
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

/// Returns the warnings about an added relation: that it was not taken as stated, and the cycle that it
/// closes.
pub fn relation_warnings(added: &Added, kind: EdgeKind, source: EdgeSource) -> Vec<String> {
    let cycle = added.cycle.iter().map(|path| cycle_warning(path));
    override_warning(&added.edge, kind, source)
        .into_iter()
        .chain(cycle)
        .collect()
}

fn override_warning(edge: &Edge, kind: EdgeKind, source: EdgeSource) -> Option<String> {
    // A relation that was stated often enough becomes observed, which is no refusal.
    let is_counted = (source, edge.source) == (EdgeSource::Inferred, EdgeSource::Observed);
    if edge.kind == kind && (edge.source == source || is_counted) {
        return None;
    }
    let shown =
        |kind: EdgeKind, source: EdgeSource| format!("{} ({})", kind.as_str(), source.as_str());
    let (is, asked) = (shown(edge.kind, edge.source), shown(kind, source));
    Some(format!(
        "this stays {is}, not {asked}: the known relation is stronger, and only the source `manual` \
         changes it"
    ))
}

/// Merges stored and declared relations. A declared relation is in the graph only if the stored one is too
/// weak, and then replaces it.
fn merged(stored: Vec<Edge>, declared: &[Relation]) -> Vec<KnownEdge> {
    let is_hidden = |edge: &Edge| {
        let mut declared = declared.iter();
        declared.any(|it| (&it.from, &it.to) == (&edge.from, &edge.to))
    };
    let stored = stored.into_iter().filter(|edge| !is_hidden(edge));
    let stored = stored.map(KnownEdge::stored);
    stored
        .chain(declared.iter().map(KnownEdge::declared))
        .collect()
}

fn no_relation_error(from: &Node, to: &Node) -> ResultError {
    let message = format!("there is no relation from `{from}` to `{to}`");
    ResultError::new(ErrorCode::NotFound, message)
}
