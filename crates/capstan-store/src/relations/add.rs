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
    for end in [&new.from, &new.to] {
        node::check(connection, viewer, end)?;
    }
    let said = Edge {
        from: new.from.clone(),
        to: new.to.clone(),
        kind: new.kind,
        source: new.source,
        observed: 1,
        created_at: new.at,
        last_observed: new.at,
    };
    let known = row::get(connection, &new.from, &new.to)?;
    let before = known.as_ref().map(|edge| edge.kind);
    let edge = state::stated(known, said);
    row::put(connection, &edge)?;
    let cycle = match edge.kind {
        EdgeKind::Contains => cycle::through(connection, viewer, &edge.from, &edge.to)?,
        _ => None,
    };
    Ok(Added {
        replaced: before.filter(|before| *before != edge.kind),
        edge,
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
    let known = row::get(connection, from, to)?;
    let Some(known) = known else {
        return Err(missing(from, to));
    };
    let seen = Edge {
        observed: times,
        created_at: known.created_at,
        last_observed: at,
        ..known.clone()
    };
    let edge = match times {
        0 => known,
        _ => state::observed(Some(known), seen),
    };
    row::put(connection, &edge)?;
    Ok(edge)
}

pub(super) fn missing(from: &Node, to: &Node) -> Fault {
    Fault::not_found(&format!("{from} → {to}"))
}
