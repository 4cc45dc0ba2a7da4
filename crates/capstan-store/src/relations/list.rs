//! Which relations there are, for those who see both ends.

use capstan_core::code::{Edge, Node, Observed};
use capstan_core::port::{Direction, Viewer};
use rusqlite::{Connection, ToSql, named_params};

use super::{evidence, row};
use crate::capabilities::visible_as;
use crate::fault::Outcome;
use crate::number::count as whole;

pub(crate) fn of_node(
    connection: &Connection,
    viewer: &Viewer,
    node: &Node,
    direction: Direction,
) -> Outcome<Vec<Edge>> {
    let mut found = Vec::new();
    if direction != Direction::To {
        let which = format!("e.from_id = :node AND {} ORDER BY e.to_id", seen());
        found.extend(of(connection, viewer, node, &which)?);
    }
    if direction != Direction::From {
        let which = format!("e.to_id = :node AND {} ORDER BY e.from_id", seen());
        found.extend(of(connection, viewer, node, &which)?);
    }
    Ok(found)
}

pub(crate) fn count(connection: &Connection, viewer: &Viewer, node: &Node) -> Outcome<u64> {
    let sql = format!(
        "SELECT count(*) FROM {} WHERE (e.from_id = :node OR e.to_id = :node) AND {}",
        row::JOINED,
        seen()
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
    Ok(whole(number))
}

/// One, if it is seen.
pub(super) fn one(
    connection: &Connection,
    viewer: &Viewer,
    (from, to): (&Node, &Node),
) -> Outcome<Option<Edge>> {
    let which = format!("e.from_id = :from AND e.to_id = :to AND {}", seen());
    let ends: [(&str, &dyn ToSql); 2] = [(":from", &from.as_str()), (":to", &to.as_str())];
    Ok(visible(connection, viewer, &which, &ends)?.pop())
}

/// One, with why it is there, as far as that is the viewer's own to see.
pub(crate) fn with_observations(
    connection: &Connection,
    viewer: &Viewer,
    (from, to): (&Node, &Node),
) -> Outcome<Option<(Edge, Vec<Observed>)>> {
    let Some(edge) = one(connection, viewer, (from, to))? else {
        return Ok(None);
    };
    let why = evidence::of(connection, viewer, (from, to))?;
    Ok(Some((edge, why)))
}

/// With what is filled in beside the viewer.
pub(super) fn visible(
    connection: &Connection,
    viewer: &Viewer,
    which: &str,
    more: &[(&str, &dyn ToSql)],
) -> Outcome<Vec<Edge>> {
    let mut params: Vec<(&str, &dyn ToSql)> = vec![
        (":org", &viewer.scope.org),
        (":project", &viewer.scope.project),
        (":user", &viewer.user),
    ];
    params.extend(more);
    row::read(connection, which, params.as_slice())
}

fn of(connection: &Connection, viewer: &Viewer, node: &Node, which: &str) -> Outcome<Vec<Edge>> {
    visible(connection, viewer, which, &[(":node", &node.as_str())])
}

/// `Viewer::sees` for both ends, where they are code.
pub(super) fn seen() -> String {
    format!(
        "(f.id IS NULL OR {}) AND (t.id IS NULL OR {})",
        visible_as("f"),
        visible_as("t")
    )
}
