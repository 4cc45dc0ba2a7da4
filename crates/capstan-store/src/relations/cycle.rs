//! Finds capabilities that contain themselves.

use std::collections::HashMap;

use capstan_core::code::Node;
use capstan_core::port::Viewer;
use rusqlite::Connection;

use super::node;
use crate::capabilities::rows;
use crate::fault::StoreResult;

/// The search stops after this many nodes: its result is a warning, not a proof.
const MAX_VISITED: usize = 10_000;

/// Returns the cycle through this `contains` relation, if `to` contains `from` in turn. The search
/// runs from both ends and always continues on the smaller side: a node that contains nothing, or
/// is contained in nothing, ends it soon.
pub(super) fn find_through(
    connection: &Connection,
    viewer: &Viewer,
    from: &Node,
    to: &Node,
) -> StoreResult<Option<Vec<Node>>> {
    let mut inside = SearchSide::new(to, SELECT_CONTAINED);
    let mut outside = SearchSide::new(from, SELECT_CONTAINING);
    while inside.reached.len() + outside.reached.len() < MAX_VISITED {
        let (side, other) = if inside.frontier.len() <= outside.frontier.len() {
            (&mut inside, &outside)
        } else {
            (&mut outside, &inside)
        };
        if side.frontier.is_empty() {
            return Ok(None);
        }
        if let Some(met) = side.expand(connection, viewer, other)? {
            let mut path = vec![from.clone()];
            path.extend(inside.path_to(&met).into_iter().rev());
            path.extend(outside.path_to(&met).into_iter().skip(1));
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// The search from one end.
struct SearchSide {
    /// Each reached node with its predecessor; the end itself has none.
    reached: HashMap<Node, Option<Node>>,
    /// The nodes that were reached in the last step.
    frontier: Vec<Node>,
    /// Selects the neighbours of a node.
    sql: &'static str,
}

// The plus keeps SQLite from using the index of kinds, of which there are few: the end selects
// better.
const SELECT_CONTAINED: &str =
    "SELECT to_id FROM relation WHERE from_id = ?1 AND +edge_type = 'contains' ORDER BY to_id";
const SELECT_CONTAINING: &str =
    "SELECT from_id FROM relation WHERE to_id = ?1 AND +edge_type = 'contains' ORDER BY from_id";

impl SearchSide {
    fn new(end: &Node, sql: &'static str) -> Self {
        Self {
            reached: HashMap::from([(end.clone(), None)]),
            frontier: vec![end.clone()],
            sql,
        }
    }

    /// Expands all nodes of the frontier by one step; returns the node at which it met the other
    /// side.
    fn expand(
        &mut self,
        connection: &Connection,
        viewer: &Viewer,
        other: &SearchSide,
    ) -> StoreResult<Option<Node>> {
        let mut statement = connection.prepare_cached(self.sql)?;
        for node in std::mem::take(&mut self.frontier) {
            for next in rows::texts(&mut statement, [node.as_str()])? {
                let Some(next) = node::find_visible(connection, viewer, &Node::Named(next))? else {
                    continue;
                };
                if self.reached.contains_key(&next) {
                    continue;
                }
                self.reached.insert(next.clone(), Some(node.clone()));
                if other.reached.contains_key(&next) {
                    return Ok(Some(next));
                }
                self.frontier.push(next);
            }
        }
        Ok(None)
    }

    /// Returns the path from a reached node back to the end, including both.
    fn path_to(&self, node: &Node) -> Vec<Node> {
        let mut path = vec![node.clone()];
        let mut current = node;
        while let Some(Some(before)) = self.reached.get(current) {
            path.push(before.clone());
            current = before;
        }
        path
    }
}
