//! What contains itself.

use std::collections::{HashMap, VecDeque};

use capstan_core::code::{Edge, Node};
use capstan_core::port::Viewer;
use rusqlite::Connection;

use super::list;
use crate::fault::Outcome;

/// Beyond this many nobody looks further: it is a warning, not a proof.
const FARTHEST: usize = 10_000;

/// The shortest way from one end over the other and back, if what is contained contains it in turn.
pub(super) fn through(
    connection: &Connection,
    viewer: &Viewer,
    from: &Node,
    to: &Node,
) -> Outcome<Option<Vec<Node>>> {
    let mut reached_by: HashMap<Node, Node> = HashMap::new();
    let mut next = VecDeque::from([to.clone()]);
    while let Some(node) = next.pop_front() {
        if node == *from {
            return Ok(Some(way(&reached_by, from, to)));
        }
        for Edge { to: inside, .. } in list::contained(connection, viewer, &node)? {
            let is_new = inside != *to && !reached_by.contains_key(&inside);
            if is_new && reached_by.len() < FARTHEST {
                reached_by.insert(inside.clone(), node.clone());
                next.push_back(inside);
            }
        }
    }
    Ok(None)
}

fn way(reached_by: &HashMap<Node, Node>, from: &Node, to: &Node) -> Vec<Node> {
    let mut back = vec![from.clone()];
    let mut node = from;
    while let Some(before) = reached_by.get(node).filter(|_| node != to) {
        back.push(before.clone());
        node = before;
    }
    back.push(from.clone());
    back.reverse();
    back
}
