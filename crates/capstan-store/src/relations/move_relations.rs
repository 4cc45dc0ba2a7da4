//! Moves the relations of code that is merged into other code.

use capstan_core::code::{Edge, Fqdn, Node};
use rusqlite::Connection;

use super::{evidence, row, state};
use crate::fault::StoreResult;

/// Moves all relations of `from` to `into`, with their evidence. Deletes relations between the two,
/// and merges those that both have.
pub(crate) fn move_all(connection: &Connection, from: &Fqdn, into: &Fqdn) -> StoreResult<()> {
    let which = "e.from_id = ?1 OR e.to_id = ?1 ORDER BY e.from_id, e.to_id";
    let found = row::select(connection, which, [from.as_str()])?;
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
            let joined = state::merged(known, there);
            row::upsert(connection, &joined)?;
            let (old, new) = ((&edge.from, &edge.to), (&joined.from, &joined.to));
            let declared = [
                row::declared_kind(connection, new.0, new.1)?,
                row::declared_kind(connection, old.0, old.1)?,
            ];
            if let Some(kind) = state::strongest(declared) {
                row::set_declared_kind(connection, new, kind)?;
            }
            evidence::copy(connection, old, new)?;
        }
        row::delete(connection, &edge.from, &edge.to)?;
    }
    Ok(())
}
