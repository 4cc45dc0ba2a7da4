//! Relations as rows: one table for relations between code, another for all others.

use capstan_core::code::{Edge, EdgeKind, Node};
use rusqlite::{Connection, OptionalExtension as _, Params, Row, params};

use super::node;
use crate::fault::StoreResult;
use crate::integer::{from_sql_integer, to_sql_integer};
use crate::json;

/// A table of relations, and the columns of its ends.
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) from: &'static str,
    pub(super) to: &'static str,
}

pub(super) const TABLES: [Table; 2] = [CODE_EDGES, OTHER_EDGES];

const CODE_EDGES: Table = Table {
    name: "capability_dependency",
    from: "from_capability_id",
    to: "to_capability_id",
};

const OTHER_EDGES: Table = Table {
    name: "tool_dependency",
    from: "from_tool_id",
    to: "to_tool_id",
};

fn table_of(from: &Node, to: &Node) -> &'static Table {
    match (from, to) {
        (Node::Code(_), Node::Code(_)) => &CODE_EDGES,
        _ => &OTHER_EDGES,
    }
}

pub(super) fn get(connection: &Connection, from: &Node, to: &Node) -> StoreResult<Option<Edge>> {
    let condition = "e.from_id = ?1 AND e.to_id = ?2";
    let found = select(connection, condition, [from.as_str(), to.as_str()])?;
    Ok(found.into_iter().next())
}

pub(super) fn upsert(connection: &Connection, edge: &Edge) -> StoreResult<()> {
    let Table { name, from, to } = table_of(&edge.from, &edge.to);
    let sql = format!(
        "INSERT INTO {name} \
         ({from}, {to}, observed_count, edge_type, edge_source, created_at, last_observed) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) \
         ON CONFLICT ({from}, {to}) DO UPDATE SET \
         observed_count = excluded.observed_count, edge_type = excluded.edge_type, \
         edge_source = excluded.edge_source, created_at = excluded.created_at, \
         last_observed = excluded.last_observed"
    );
    connection.prepare_cached(&sql)?.execute(params![
        edge.from.as_str(),
        edge.to.as_str(),
        to_sql_integer(edge.observed),
        edge.kind.as_str(),
        edge.source.as_str(),
        edge.created_at,
        edge.last_observed,
    ])?;
    Ok(())
}

/// Returns the kind as which a relation was declared, whatever kind it has now.
pub(super) fn declared_kind(
    connection: &Connection,
    from: &Node,
    to: &Node,
) -> StoreResult<Option<EdgeKind>> {
    let sql = "SELECT template_type FROM relation WHERE from_id = ?1 AND to_id = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row([from.as_str(), to.as_str()], |row| row.get(0));
    let found: Option<Option<String>> = found.optional()?;
    found
        .flatten()
        .map(|word| json::from_word(&word))
        .transpose()
}

pub(super) fn set_declared_kind(
    connection: &Connection,
    (from, to): (&Node, &Node),
    kind: EdgeKind,
) -> StoreResult<()> {
    let table = table_of(from, to);
    let sql = format!(
        "UPDATE {} SET template_type = ?3 WHERE {} = ?1 AND {} = ?2",
        table.name, table.from, table.to
    );
    connection
        .prepare_cached(&sql)?
        .execute([from.as_str(), to.as_str(), kind.as_str()])?;
    Ok(())
}

pub(super) fn delete(connection: &Connection, from: &Node, to: &Node) -> StoreResult<()> {
    let table = table_of(from, to);
    let Table {
        name,
        from: from_column,
        to: to_column,
    } = table;
    let sql = format!("DELETE FROM {name} WHERE {from_column} = ?1 AND {to_column} = ?2");
    connection
        .prepare_cached(&sql)?
        .execute([from.as_str(), to.as_str()])?;
    Ok(())
}

/// Reads the relations that an SQL condition selects. In it, `e` is the relation; `f` and `t` are
/// the records of its ends, where they are code.
pub(super) fn select(
    connection: &Connection,
    condition: &str,
    params: impl Params,
) -> StoreResult<Vec<Edge>> {
    let sql = format!("SELECT {COLUMNS} FROM {JOINED} WHERE {condition}");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read_edge(row)?);
    }
    Ok(found)
}

pub(super) const JOINED: &str = "relation e \
    LEFT JOIN capability_records f ON f.id = e.from_id \
    LEFT JOIN capability_records t ON t.id = e.to_id";

const COLUMNS: &str = "e.from_id, f.id IS NOT NULL, e.to_id, t.id IS NOT NULL, e.edge_type, \
    e.edge_source, e.observed_count, e.created_at, e.last_observed";

/// Returns the text of a column without copying it.
pub(super) fn text<'a>(row: &'a Row<'_>, column: usize) -> StoreResult<&'a str> {
    let text = row.get_ref(column)?.as_str();
    Ok(text.map_err(rusqlite::Error::from)?)
}

fn read_edge(row: &Row<'_>) -> StoreResult<Edge> {
    Ok(Edge {
        from: node::read(row, 0)?,
        to: node::read(row, 2)?,
        kind: json::from_word(text(row, 4)?)?,
        source: json::from_word(text(row, 5)?)?,
        observed: from_sql_integer(row.get(6)?),
        created_at: row.get(7)?,
        last_observed: row.get(8)?,
    })
}
