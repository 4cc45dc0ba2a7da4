//! Lists relations for viewers who see both ends.

use capstan_core::code::{Edge, Node, Observed};
use capstan_core::port::{Direction, Viewer};
use rusqlite::{Connection, ToSql, named_params};

use super::{evidence, row};
use crate::capabilities::visibility_condition;
use crate::fault::StoreResult;
use crate::integer::from_sql_integer;

pub(crate) fn edges_of_node(
    connection: &Connection,
    viewer: &Viewer,
    node: &Node,
    direction: Direction,
) -> StoreResult<Vec<Edge>> {
    let mut found = Vec::new();
    if direction != Direction::To {
        let condition = format!(
            "e.from_id = :node AND {} ORDER BY e.to_id",
            both_ends_visible()
        );
        found.extend(read_of_node(connection, viewer, node, &condition)?);
    }
    if direction != Direction::From {
        let condition = format!(
            "e.to_id = :node AND {} ORDER BY e.from_id",
            both_ends_visible()
        );
        found.extend(read_of_node(connection, viewer, node, &condition)?);
    }
    Ok(found)
}

pub(crate) fn count(connection: &Connection, viewer: &Viewer, node: &Node) -> StoreResult<u64> {
    let sql = format!(
        "SELECT count(*) FROM {} WHERE (e.from_id = :node OR e.to_id = :node) AND {}",
        row::JOINED,
        both_ends_visible()
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let number = statement.query_row(
        named_params! {
            ":node": node.as_str(),
            ":org": viewer.scope.org,
            ":project": viewer.scope.project,
            ":user": viewer.user,
        },
        |row| row.get(0),
    )?;
    Ok(from_sql_integer(number))
}

/// Returns one relation if it is visible.
pub(super) fn find_visible(
    connection: &Connection,
    viewer: &Viewer,
    (from, to): (&Node, &Node),
) -> StoreResult<Option<Edge>> {
    let condition = format!(
        "e.from_id = :from AND e.to_id = :to AND {}",
        both_ends_visible()
    );
    let ends: [(&str, &dyn ToSql); 2] = [(":from", &from.as_str()), (":to", &to.as_str())];
    Ok(read_visible(connection, viewer, &condition, &ends)?.pop())
}

/// Returns one visible relation with the evidence that the viewer may see.
pub(crate) fn with_observations(
    connection: &Connection,
    viewer: &Viewer,
    (from, to): (&Node, &Node),
) -> StoreResult<Option<(Edge, Vec<Observed>)>> {
    let Some(edge) = find_visible(connection, viewer, (from, to))? else {
        return Ok(None);
    };
    let evidence = evidence::read_evidence(connection, viewer, (from, to))?;
    Ok(Some((edge, evidence)))
}

/// Reads the visible relations that a condition selects. `more` are its parameters beside those of
/// the viewer.
pub(super) fn read_visible(
    connection: &Connection,
    viewer: &Viewer,
    condition: &str,
    more: &[(&str, &dyn ToSql)],
) -> StoreResult<Vec<Edge>> {
    let mut params: Vec<(&str, &dyn ToSql)> = vec![
        (":org", &viewer.scope.org),
        (":project", &viewer.scope.project),
        (":user", &viewer.user),
    ];
    params.extend(more);
    row::select(connection, condition, params.as_slice())
}

fn read_of_node(
    connection: &Connection,
    viewer: &Viewer,
    node: &Node,
    condition: &str,
) -> StoreResult<Vec<Edge>> {
    read_visible(connection, viewer, condition, &[(":node", &node.as_str())])
}

/// `Viewer::sees` as a condition on both ends, where they are code.
pub(super) fn both_ends_visible() -> String {
    format!(
        "(f.id IS NULL OR {}) AND (t.id IS NULL OR {})",
        visibility_condition("f"),
        visibility_condition("t")
    )
}
