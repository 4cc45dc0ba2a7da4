//! The relations of code that becomes other code.

use capstan_core::code::{Edge, Fqdn, Node};
use rusqlite::Connection;

use super::{evidence, row, state};
use crate::fault::Outcome;

/// Gives the relations of one to another, with why they are there. Those between the two are gone, and
/// those that both have are joined.
pub(crate) fn move_all(connection: &Connection, from: &Fqdn, into: &Fqdn) -> Outcome<()> {
    let which = "e.from_id = ?1 OR e.to_id = ?1 ORDER BY e.from_id, e.to_id";
    let found = row::read(connection, which, [from.as_str()])?;
    let moved = |end: &Node| match end {
        Node::Code(fqdn) if fqdn == from => Node::Code(into.clone()),
        end => end.clone(),
    };
    for edge in found {
        let there = Edge {
            from: moved(&edge.from),
            to: moved(&edge.to),
            ..edge.clone()
        };
        if there.from != there.to {
            let known = row::get(connection, &there.from, &there.to)?;
            let joined = state::joined(known, there);
            row::put(connection, &joined)?;
            let (old, new) = ((&edge.from, &edge.to), (&joined.from, &joined.to));
            let declared = [
                row::declared(connection, new.0, new.1)?,
                row::declared(connection, old.0, old.1)?,
            ];
            if let Some(kind) = state::strongest(declared) {
                row::declare(connection, new, kind)?;
            }
            evidence::copy(connection, old, new)?;
        }
        row::delete(connection, &edge.from, &edge.to)?;
    }
    Ok(())
}
