//! Stating a relation, and observing one that is there.

use capstan_core::code::{Edge, EdgeKind, Node, Timestamp};
use capstan_core::port::{Added, NewEdge, Viewer};
use rusqlite::Connection;

use super::{cycle, node, row, state};
use crate::fault::{Fault, StoreResult};

pub(crate) fn add(connection: &Connection, viewer: &Viewer, new: &NewEdge) -> StoreResult<Added> {
    if new.from.as_str() == new.to.as_str() {
        return Err(Fault::refused(format!(
            "`{}` cannot be related to itself: name two capabilities",
            new.from
        )));
    }
    let said = Edge {
        from: node::require_visible(connection, viewer, &new.from)?,
        to: node::require_visible(connection, viewer, &new.to)?,
        kind: new.kind,
        source: new.source,
        observed: 1,
        created_at: new.at,
        last_observed: new.at,
    };
    let known = row::get(connection, &new.from, &new.to)?;
    let declared = row::declared_kind(connection, &new.from, &new.to)?;
    let edge = state::after_statement(known.clone(), said.clone());
    if known.as_ref() != Some(&edge) {
        row::upsert(connection, &edge)?;
    }
    match state::declared_kind(declared, &said, &edge) {
        Some(kind) if declared != Some(kind) => {
            row::set_declared_kind(connection, (&edge.from, &edge.to), kind)?;
        }
        _ => {}
    }
    let (is_new, before) = (known.is_none(), known.map(|known| known.kind));
    let cycle = match edge.kind {
        EdgeKind::Contains => cycle::find_through(connection, viewer, &edge.from, &edge.to)?,
        _ => None,
    };
    Ok(Added {
        replaced: before.filter(|before| *before != edge.kind),
        edge,
        is_new,
        cycle,
    })
}

pub(crate) fn observe(
    connection: &Connection,
    viewer: &Viewer,
    (from, to): (&Node, &Node),
    times: u64,
    at: Timestamp,
) -> StoreResult<Edge> {
    for end in [from, to] {
        node::require_visible(connection, viewer, end)?;
    }
    let known = row::get(connection, from, to)?.ok_or_else(|| missing(from, to))?;
    if times == 0 {
        return Ok(known);
    }
    let seen = Edge {
        observed: times,
        created_at: at,
        last_observed: at,
        ..known.clone()
    };
    let edge = state::after_observation(Some(known), seen);
    row::upsert(connection, &edge)?;
    Ok(edge)
}

pub(super) fn missing(from: &Node, to: &Node) -> Fault {
    Fault::not_found(&format!("{from} → {to}"))
}
