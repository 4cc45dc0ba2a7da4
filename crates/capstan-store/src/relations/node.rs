//! The ends of relations: whether they are there, and who sees them.

use capstan_core::code::Node;
use capstan_core::port::Viewer;
use rusqlite::{Connection, Row};

use crate::capabilities::rows;
use crate::fault::{Fault, Outcome};

/// An end from two columns: its name, and whether it is code.
pub(super) fn read(row: &Row<'_>, column: usize) -> Outcome<Node> {
    let text: String = row.get(column)?;
    Ok(match row.get(column + 1)? {
        true => Node::Code(rows::fqdn(&text)?),
        false => Node::Named(text),
    })
}

/// An end has to be something that the viewer sees.
pub(super) fn check(connection: &Connection, viewer: &Viewer, node: &Node) -> Outcome<()> {
    let record = match node {
        Node::Code(fqdn) => Some(rows::record(connection, fqdn)?),
        Node::Named(_) => None,
    };
    match record {
        Some(record) if !viewer.sees(&record) => Err(Fault::not_found(node.as_str())),
        _ => Ok(()),
    }
}

/// The same, where what cannot be seen is simply left out.
pub(super) fn is_seen(connection: &Connection, viewer: &Viewer, node: &Node) -> Outcome<bool> {
    match check(connection, viewer, node) {
        Ok(()) => Ok(true),
        Err(fault) if fault.is_not_found() => Ok(false),
        Err(fault) => Err(fault),
    }
}
