//! The ends of relations: whether they are there, and who sees them.

use capstan_core::code::Node;
use capstan_core::port::Viewer;
use rusqlite::{Connection, OptionalExtension as _, Row, named_params};

use crate::capabilities::{rows, visible_as};
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
pub(super) fn check(connection: &Connection, viewer: &Viewer, node: &Node) -> Outcome<Node> {
    seen(connection, viewer, node)?.ok_or_else(|| Fault::not_found(node.as_str()))
}

/// What it is, if the viewer sees it. The full name of code is code, whatever it is taken for: what is
/// hidden cannot be reached by calling it something else.
pub(super) fn seen(connection: &Connection, viewer: &Viewer, node: &Node) -> Outcome<Option<Node>> {
    let sql = format!(
        "SELECT {} FROM capability_records r WHERE r.id = :id",
        visible_as("r")
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let params = named_params! {
        ":id": node.as_str(),
        ":org": viewer.scope.org,
        ":project": viewer.scope.project,
        ":user": viewer.user,
    };
    let is_visible = statement.query_row(params, |row| row.get::<_, bool>(0));
    Ok(match (is_visible.optional()?, node) {
        (Some(true), _) => Some(Node::Code(rows::fqdn(node.as_str())?)),
        (None, Node::Named(_)) => Some(node.clone()),
        (Some(false), _) | (None, Node::Code(_)) => None,
    })
}
