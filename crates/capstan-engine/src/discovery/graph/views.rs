//! Read access to the graph: pages, paths and neighbours.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use capstan_core::card::Kind;
use capstan_core::code::{EdgeKind, Node};
use capstan_core::{ErrorCode, ResultError};
use capstan_graph::{Around, Filter, Missing, Neighbor, Page, Path, Snapshot};

use crate::discovery::Discovery;

/// A part of the graph in which code and skills also appear as the groups of what they contain.
#[derive(Clone, Debug, PartialEq)]
pub struct Hypergraph {
    pub snapshot: Snapshot,
    pub zones: Vec<Zone>,
    /// A digest of the graph: equal graphs have equal digests.
    pub digest: String,
}

/// Code or a skill with its members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Zone {
    pub id: String,
    pub label: String,
    pub kind: Kind,
    pub members: Vec<String>,
}

impl Discovery {
    /// Returns one page of the graph.
    pub async fn graph_snapshot(
        &self,
        filter: &Filter,
        page: &Page,
    ) -> Result<Snapshot, ResultError> {
        Ok(self
            .current_graph()
            .await?
            .read()
            .graph
            .snapshot(filter, page))
    }

    /// Returns a digest of the graph: equal graphs have equal digests.
    pub async fn graph_digest(&self) -> Result<String, ResultError> {
        Ok(self.current_graph().await?.read().graph.digest())
    }

    /// Returns the path with the highest confidence between two capabilities.
    pub async fn graph_path(&self, from: &str, to: &str) -> Result<Path, ResultError> {
        let (from, to) = (self.node_or_name(from).await?, self.node_or_name(to).await?);
        let found = self.current_graph().await?.read().graph.path(&from, &to);
        match found {
            Ok(path) => Ok(path),
            // A capability without relations still has a path to itself.
            Err(Missing::Node(node)) if from == to && self.node(node.as_str()).await.is_ok() => {
                Ok(Path {
                    nodes: vec![from],
                    edges: Vec::new(),
                    cost: 0.0,
                })
            }
            Err(missing) => Err(self.missing_error(missing).await),
        }
    }

    /// Returns the neighbours of a capability, the nearest first.
    pub async fn graph_neighbors(
        &self,
        name: &str,
        around: &Around<'_>,
    ) -> Result<Vec<Neighbor>, ResultError> {
        let node = self.node_or_name(name).await?;
        let found = self
            .current_graph()
            .await?
            .read()
            .graph
            .neighbors(&node, around);
        match found {
            Ok(found) => Ok(found),
            // An existing capability without relations has no neighbours.
            Err(Missing::Node(_)) if self.node(name).await.is_ok() => Ok(Vec::new()),
            Err(missing) => Err(self.missing_error(missing).await),
        }
    }

    pub async fn hypergraph(
        &self,
        filter: &Filter,
        page: &Page,
    ) -> Result<Hypergraph, ResultError> {
        let state = self.current_graph().await?.read();
        let snapshot = state.graph.snapshot(filter, page);
        let mut zones: BTreeMap<&Node, Vec<String>> = BTreeMap::new();
        for edge in &snapshot.edges {
            if edge.kind == EdgeKind::Contains {
                let members = zones.entry(&edge.from).or_default();
                members.push(edge.to.to_string());
            }
        }
        let zones = zones.into_iter().map(|(node, members)| Zone {
            id: node.to_string(),
            label: state.label(node),
            kind: self.kind_of(node),
            members,
        });
        Ok(Hypergraph {
            zones: zones.collect(),
            digest: state.graph.digest(),
            snapshot,
        })
    }

    /// Returns the display names of this project's code, by FQDN. Names of other projects may mean something
    /// else here.
    pub async fn labels_of_code(&self) -> HashMap<String, String> {
        let Ok(graph_cache) = self.current_graph().await else {
            return HashMap::new();
        };
        let state = graph_cache.read();
        let own = state.code.iter();
        let own = own.filter(|(_, code)| code.record.scope == self.shared.viewer().scope);
        own.map(|(fqdn, code)| (fqdn.to_string(), code.record.name.to_string()))
            .collect()
    }

    /// Returns the kind of a node.
    pub fn kind_of(&self, node: &Node) -> Kind {
        match node {
            Node::Code(_) => Kind::Code,
            Node::Named(id) if self.shared.catalog.contains(id) => Kind::Card,
            Node::Named(id) if self.has_skill(id) => Kind::Skill,
            Node::Named(id) if (self.shared.own_cards.get)(id).is_some() => Kind::System,
            Node::Named(_) => Kind::Tool,
        }
    }

    async fn missing_error(&self, missing: Missing) -> ResultError {
        let message = match &missing {
            // For an unknown name, the error suggests similar names.
            Missing::Node(node) => match self.node(node.as_str()).await {
                Err(error) => return error,
                Ok(_) => format!("`{node}` has no relations that are sure enough"),
            },
            Missing::Path { from, to } => format!("no relations lead from `{from}` to `{to}`"),
        };
        ResultError::new(ErrorCode::NotFound, message)
    }
}
