//! The graph as callers see it: pages of it, ways through it, what is around a capability.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use capstan_core::card::Kind;
use capstan_core::code::{EdgeKind, Node};
use capstan_core::{ErrorCode, ResultError};
use capstan_graph::{Around, Filter, Missing, Neighbor, Page, Path, Snapshot};

use crate::discovery::Discovery;

/// A part of the graph in which code and skills are also shown as what they hold together.
#[derive(Clone, Debug, PartialEq)]
pub struct Hypergraph {
    pub snapshot: Snapshot,
    pub zones: Vec<Zone>,
    /// The same text for the same graph.
    pub digest: String,
}

/// Code or a skill, and what it contains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Zone {
    pub id: String,
    pub label: String,
    pub kind: Kind,
    pub members: Vec<String>,
}

impl Discovery {
    /// One page of the graph.
    pub async fn graph_snapshot(
        &self,
        filter: &Filter,
        page: &Page,
    ) -> Result<Snapshot, ResultError> {
        Ok(self.atlas().await?.read().graph.snapshot(filter, page))
    }

    /// The same text for the same graph.
    pub async fn graph_digest(&self) -> Result<String, ResultError> {
        Ok(self.atlas().await?.read().graph.digest())
    }

    /// The surest way from one to another.
    pub async fn graph_path(&self, from: &str, to: &str) -> Result<Path, ResultError> {
        let (from, to) = (self.node_or_name(from).await?, self.node_or_name(to).await?);
        let found = self.atlas().await?.read().graph.path(&from, &to);
        match found {
            Ok(path) => Ok(path),
            // What is there is where it is, with or without relations.
            Err(Missing::Node(node)) if from == to && self.node(node.as_str()).await.is_ok() => {
                Ok(Path {
                    nodes: vec![from],
                    edges: Vec::new(),
                    cost: 0.0,
                })
            }
            Err(missing) => Err(self.missing(missing).await),
        }
    }

    /// What is around one, nearest first.
    pub async fn graph_neighbors(
        &self,
        name: &str,
        around: &Around<'_>,
    ) -> Result<Vec<Neighbor>, ResultError> {
        let node = self.node_or_name(name).await?;
        let found = self.atlas().await?.read().graph.neighbors(&node, around);
        match found {
            Ok(found) => Ok(found),
            // What is there and has no relations has no neighbours.
            Err(Missing::Node(_)) if self.node(name).await.is_ok() => Ok(Vec::new()),
            Err(missing) => Err(self.missing(missing).await),
        }
    }

    pub async fn hypergraph(
        &self,
        filter: &Filter,
        page: &Page,
    ) -> Result<Hypergraph, ResultError> {
        let held = self.atlas().await?.read();
        let snapshot = held.graph.snapshot(filter, page);
        let mut zones: BTreeMap<&Node, Vec<String>> = BTreeMap::new();
        for edge in &snapshot.edges {
            if edge.kind == EdgeKind::Contains {
                let members = zones.entry(&edge.from).or_default();
                members.push(edge.to.to_string());
            }
        }
        let zones = zones.into_iter().map(|(node, members)| Zone {
            id: node.to_string(),
            label: held.label(node),
            kind: self.kind_of(node),
            members,
        });
        Ok(Hypergraph {
            zones: zones.collect(),
            digest: held.graph.digest(),
            snapshot,
        })
    }

    /// What people call the code of this project, by its full name. A name of other projects may mean
    /// something else here.
    pub async fn labels_of_code(&self) -> HashMap<String, String> {
        let Ok(atlas) = self.atlas().await else {
            return HashMap::new();
        };
        let held = atlas.read();
        let own = held.code.iter();
        let own = own.filter(|(_, code)| code.record.scope == self.shared.viewer().scope);
        own.map(|(fqdn, code)| (fqdn.to_string(), code.record.name.to_string()))
            .collect()
    }

    /// What an end of a relation is.
    pub fn kind_of(&self, node: &Node) -> Kind {
        match node {
            Node::Code(_) => Kind::Code,
            Node::Named(id) if self.shared.catalog.contains(id) => Kind::Card,
            Node::Named(id) if self.has_skill(id) => Kind::Skill,
            Node::Named(id) if (self.shared.own_cards.get)(id).is_some() => Kind::System,
            Node::Named(_) => Kind::Tool,
        }
    }

    async fn missing(&self, missing: Missing) -> ResultError {
        let message = match &missing {
            // Unknown names get the error that says what is near them.
            Missing::Node(node) => match self.node(node.as_str()).await {
                Err(error) => return error,
                Ok(_) => format!("`{node}` has no relations that are sure enough"),
            },
            Missing::Path { from, to } => format!("no relations lead from `{from}` to `{to}`"),
        };
        ResultError::new(ErrorCode::NotFound, message)
    }
}
