//! Stating a relation, and observing one that is there.

use capstan_core::code::{Edge, EdgeKind, Node, Timestamp};
use capstan_core::port::{Added, NewEdge, Viewer};
use rusqlite::Connection;

use super::{cycle, node, row, state};
use crate::fault::{Fault, Outcome};

pub(crate) fn add(connection: &Connection, viewer: &Viewer, new: &NewEdge) -> Outcome<Added> {
    if new.from.as_str() == new.to.as_str() {
        return Err(Fault::refused(format!(
            "`{}` cannot be related to itself: name two capabilities",
            new.from
        )));
    }
    let said = Edge {
        from: node::check(connection, viewer, &new.from)?,
        to: node::check(connection, viewer, &new.to)?,
        kind: new.kind,
        source: new.source,
        observed: 1,
        created_at: new.at,
        last_observed: new.at,
    };
    let known = row::get(connection, &new.from, &new.to)?;
    let declared = row::declared(connection, &new.from, &new.to)?;
    let edge = state::stated(known.clone(), said.clone());
    if known.as_ref() != Some(&edge) {
        row::put(connection, &edge)?;
    }
    match state::declared(declared, &said, &edge) {
        Some(kind) if declared != Some(kind) => {
            row::declare(connection, (&edge.from, &edge.to), kind)?;
        }
        _ => {}
    }
    let (is_new, before) = (known.is_none(), known.map(|known| known.kind));
    let cycle = match edge.kind {
        EdgeKind::Contains => cycle::through(connection, viewer, &edge.from, &edge.to)?,
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
) -> Outcome<Edge> {
    for end in [from, to] {
        node::check(connection, viewer, end)?;
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
    let edge = state::observed(Some(known), seen);
    row::put(connection, &edge)?;
    Ok(edge)
}

pub(super) fn missing(from: &Node, to: &Node) -> Fault {
    Fault::not_found(&format!("{from} → {to}"))
}
