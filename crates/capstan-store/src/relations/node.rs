//! The ends of relations: whether they exist, and who sees them.

use capstan_core::code::Node;
use capstan_core::port::Viewer;
use rusqlite::{Connection, OptionalExtension as _, Row, named_params};

use crate::capabilities::{rows, visibility_condition};
use crate::fault::{Fault, StoreResult};

/// Reads an end from two columns: its name, and whether it is code.
pub(super) fn read(row: &Row<'_>, column: usize) -> StoreResult<Node> {
    let text: String = row.get(column)?;
    let is_code: bool = row.get(column + 1)?;
    Ok(if is_code {
        Node::Code(rows::fqdn(&text)?)
    } else {
        Node::Named(text)
    })
}

/// Returns the end; fails if the viewer does not see it.
pub(super) fn require_visible(
    connection: &Connection,
    viewer: &Viewer,
    node: &Node,
) -> StoreResult<Node> {
    find_visible(connection, viewer, node)?.ok_or_else(|| Fault::not_found(node.as_str()))
}

/// Returns the end if the viewer sees it. The full name of code always means that code, even if the
/// caller passes it as another kind of node: so hidden code cannot be reached.
pub(super) fn find_visible(
    connection: &Connection,
    viewer: &Viewer,
    node: &Node,
) -> StoreResult<Option<Node>> {
    let sql = format!(
        "SELECT {} FROM capability_records r WHERE r.id = :id",
        visibility_condition("r")
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
