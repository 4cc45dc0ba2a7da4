//! What is found together with what it needs, and what does the same, by relations.

use capstan_core::code::{EdgeKind, Node};
use capstan_core::port::Direction;

use crate::discovery::Discovery;
use crate::discovery::find::{Hit, Wanted};

/// What fits an intent, each with what it depends on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundWithDeps {
    /// The best first.
    pub hits: Vec<HitWithDeps>,
    /// How many fit, at most [`MOST_FOUND`](crate::MOST_FOUND).
    pub total: usize,
    /// What could not be searched, and why.
    pub warnings: Vec<String>,
}

/// Something that was found, and what it depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct HitWithDeps {
    pub hit: Hit,
    /// By relations of the type dependency, as people call them.
    pub dependencies: Vec<String>,
}

impl Discovery {
    /// The best matches, each with what it depends on.
    pub async fn search_by_intent_with_deps(&self, wanted: &Wanted, limit: usize) -> FoundWithDeps {
        let (hits, warnings) = self.search(wanted).await;
        let mut found = FoundWithDeps {
            hits: Vec::new(),
            total: hits.len(),
            warnings,
        };
        for hit in hits.into_iter().take(limit) {
            let (dependencies, _) = self.around(&hit.id).await;
            found.hits.push(HitWithDeps { hit, dependencies });
        }
        found
    }

    /// What something uses, and what does the same, by relations.
    pub(super) async fn around(&self, id: &str) -> (Vec<String>, Option<String>) {
        let Ok(node) = self.node(id).await else {
            return (Vec::new(), None);
        };
        let Ok(atlas) = self.atlas().await else {
            return (Vec::new(), None);
        };
        let held = atlas.read();
        let edges = held.graph.edges(&node, Direction::Both);
        let shown = |node: &Node| held.label(node);
        let uses = edges
            .iter()
            .filter(|edge| edge.kind == EdgeKind::Dependency && edge.from == node);
        let needs = uses.map(|edge| shown(&edge.to)).collect();
        let same = edges
            .iter()
            .find(|edge| edge.kind == EdgeKind::Alternative)
            .map(|edge| match edge.from == node {
                true => shown(&edge.to),
                false => shown(&edge.from),
            });
        (needs, same)
    }
}
