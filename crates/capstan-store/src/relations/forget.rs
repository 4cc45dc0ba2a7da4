//! Forgetting relations.

use capstan_core::code::{EdgeSource, Node};
use capstan_core::port::{Direction, Viewer};
use rusqlite::Connection;

use super::{add, all, evidence, list, row};
use crate::fault::Outcome;

pub(crate) fn remove(
    connection: &Connection,
    viewer: &Viewer,
    (from, to): (&Node, &Node),
) -> Outcome<()> {
    let edge = list::one(connection, viewer, (from, to))?;
    let edge = edge.ok_or_else(|| add::missing(from, to))?;
    row::delete(connection, &edge.from, &edge.to)
}

/// What was learned, of one or of all; says how many. What was stated stays, without what was seen
/// of it.
pub(crate) fn forget_learned(
    connection: &Connection,
    viewer: &Viewer,
    node: Option<&Node>,
) -> Outcome<u64> {
    let found = match node {
        Some(node) => list::of_node(connection, viewer, node, Direction::Both)?,
        None => all::all(connection, viewer, None)?,
    };
    let mut forgotten = 0;
    for edge in found {
        match edge.source {
            EdgeSource::Inferred | EdgeSource::Observed => {
                row::delete(connection, &edge.from, &edge.to)?;
                forgotten += 1;
            }
            EdgeSource::Template | EdgeSource::Manual => {
                evidence::forget(connection, &edge.from, &edge.to)?;
            }
        }
    }
    Ok(forgotten)
}
