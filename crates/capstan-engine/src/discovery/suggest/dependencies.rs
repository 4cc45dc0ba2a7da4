//! Adds dependencies and alternatives, taken from the relations, to search results.

use capstan_core::code::{EdgeKind, Node};
use capstan_core::port::Direction;

use crate::discovery::Discovery;
use crate::discovery::find::{Hit, SearchRequest};

/// Search results with their dependencies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundWithDeps {
    /// Sorted by score, the best first.
    pub hits: Vec<HitWithDeps>,
    /// How many capabilities fit, at most [`MAX_HITS`](crate::MAX_HITS).
    pub total: usize,
    /// Says what could not be searched, and why.
    pub warnings: Vec<String>,
}

/// A search result with its dependencies.
#[derive(Clone, Debug, PartialEq)]
pub struct HitWithDeps {
    pub hit: Hit,
    /// The display names of its dependencies, from relations of the type dependency.
    pub dependencies: Vec<String>,
}

impl Discovery {
    /// Returns at most `limit` of the best matches, each with its dependencies.
    pub async fn search_by_intent_with_deps(
        &self,
        wanted: &SearchRequest,
        limit: usize,
    ) -> FoundWithDeps {
        let (hits, warnings) = self.search(wanted).await;
        let mut found = FoundWithDeps {
            hits: Vec::new(),
            total: hits.len(),
            warnings,
        };
        for hit in hits.into_iter().take(limit) {
            let (dependencies, _) = self.dependencies_and_alternative(&hit.id).await;
            found.hits.push(HitWithDeps { hit, dependencies });
        }
        found
    }

    /// Returns the names of a capability's dependencies, and the name of an alternative, from the relations.
    /// Both are empty if the graph is not available.
    pub(super) async fn dependencies_and_alternative(
        &self,
        id: &str,
    ) -> (Vec<String>, Option<String>) {
        let Ok(node) = self.node(id).await else {
            return (Vec::new(), None);
        };
        let Ok(cache) = self.current_graph().await else {
            return (Vec::new(), None);
        };
        let state = cache.read();
        let edges = state.graph.edges(&node, Direction::Both);
        let label = |node: &Node| state.label(node);
        let uses = edges
            .iter()
            .filter(|edge| edge.kind == EdgeKind::Dependency && edge.from == node);
        let dependencies = uses.map(|edge| label(&edge.to)).collect();
        let alternative = edges
            .iter()
            .find(|edge| edge.kind == EdgeKind::Alternative)
            .map(|edge| {
                if edge.from == node {
                    label(&edge.to)
                } else {
                    label(&edge.from)
                }
            });
        (dependencies, alternative)
    }
}
