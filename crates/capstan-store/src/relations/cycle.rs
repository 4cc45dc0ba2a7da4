//! What contains itself.

use std::collections::HashMap;

use capstan_core::code::Node;
use capstan_core::port::Viewer;
use rusqlite::Connection;

use super::node;
use crate::capabilities::rows;
use crate::fault::Outcome;

/// Beyond this many nobody looks further: it is a warning, not a proof.
const FARTHEST: usize = 10_000;

/// The way from one end over the other and back, if what is contained contains it in turn. It is looked
/// for from both ends, and on from where there is less: what contains nothing, or is in nothing, is soon
/// known to be in no cycle.
pub(super) fn through(
    connection: &Connection,
    viewer: &Viewer,
    from: &Node,
    to: &Node,
) -> Outcome<Option<Vec<Node>>> {
    let mut inside = Side::new(to, CONTAINED);
    let mut outside = Side::new(from, CONTAINING);
    while inside.reached.len() + outside.reached.len() < FARTHEST {
        let (side, other) = match inside.edge.len() <= outside.edge.len() {
            true => (&mut inside, &outside),
            false => (&mut outside, &inside),
        };
        if side.edge.is_empty() {
            return Ok(None);
        }
        if let Some(met) = side.go_on(connection, viewer, other)? {
            let mut way = vec![from.clone()];
            way.extend(inside.way_to(&met).into_iter().rev());
            way.extend(outside.way_to(&met).into_iter().skip(1));
            return Ok(Some(way));
        }
    }
    Ok(None)
}

/// Everything that was reached from one end.
struct Side {
    /// Each with what it was reached from; the end itself from nothing.
    reached: HashMap<Node, Option<Node>>,
    /// Those that were reached last.
    edge: Vec<Node>,
    /// What is next to one.
    sql: &'static str,
}

/// By the end alone: the plus keeps the index of kinds, of which there are few, out of it.
const CONTAINED: &str =
    "SELECT to_id FROM relation WHERE from_id = ?1 AND +edge_type = 'contains' ORDER BY to_id";
const CONTAINING: &str =
    "SELECT from_id FROM relation WHERE to_id = ?1 AND +edge_type = 'contains' ORDER BY from_id";

impl Side {
    fn new(end: &Node, sql: &'static str) -> Self {
        Self {
            reached: HashMap::from([(end.clone(), None)]),
            edge: vec![end.clone()],
            sql,
        }
    }

    /// One step from all that were reached last; says where it met the other side.
    fn go_on(
        &mut self,
        connection: &Connection,
        viewer: &Viewer,
        other: &Side,
    ) -> Outcome<Option<Node>> {
        let mut statement = connection.prepare_cached(self.sql)?;
        for node in std::mem::take(&mut self.edge) {
            for next in rows::texts(&mut statement, [node.as_str()])? {
                let Some(next) = node::seen(connection, viewer, &Node::Named(next))? else {
                    continue;
                };
                if self.reached.contains_key(&next) {
                    continue;
                }
                self.reached.insert(next.clone(), Some(node.clone()));
                if other.reached.contains_key(&next) {
                    return Ok(Some(next));
                }
                self.edge.push(next);
            }
        }
        Ok(None)
    }

    /// From one that was reached back to the end, with both.
    fn way_to(&self, node: &Node) -> Vec<Node> {
        let mut way = vec![node.clone()];
        let mut node = node;
        while let Some(Some(before)) = self.reached.get(node) {
            way.push(before.clone());
            node = before;
        }
        way
    }
}
