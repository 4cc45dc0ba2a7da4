//! Forgetting relations.

use capstan_core::code::Node;
use capstan_core::port::Viewer;
use rusqlite::{Connection, ToSql};

use super::{add, list, row};
use crate::fault::Outcome;

pub(crate) fn remove(
    connection: &Connection,
    viewer: &Viewer,
    (from, to): (&Node, &Node),
) -> Outcome<()> {
    let seen = list::with_observations(connection, viewer, (from, to))?;
    match seen {
        Some((edge, _)) => row::delete(connection, &edge.from, &edge.to).map(|_| ()),
        None => Err(add::missing(from, to)),
    }
}

/// What was learned, of one or of all; says how many.
pub(crate) fn forget_learned(
    connection: &Connection,
    viewer: &Viewer,
    node: Option<&Node>,
) -> Outcome<u64> {
    let which = format!(
        "e.edge_source IN ('inferred', 'observed') \
         AND (:node IS NULL OR e.from_id = :node OR e.to_id = :node) AND {}",
        list::SEEN
    );
    let node = node.map(Node::as_str);
    let filled: [(&str, &dyn ToSql); 1] = [(":node", &node)];
    let found = list::visible(connection, viewer, &which, &filled)?;
    for edge in &found {
        row::delete(connection, &edge.from, &edge.to)?;
    }
    Ok(found.len() as u64)
}
