//! A relation as a row: of the one table where both ends are code, else of the other.

use capstan_core::code::{Edge, EdgeKind, Node};
use rusqlite::{Connection, OptionalExtension as _, Params, Row, params};

use super::node;
use crate::fault::Outcome;
use crate::json;
use crate::number::{count, number};

/// Where it stands, and what its ends are called there.
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) from: &'static str,
    pub(super) to: &'static str,
}

pub(super) const TABLES: [Table; 2] = [OF_CODE, OF_OTHERS];

const OF_CODE: Table = Table {
    name: "capability_dependency",
    from: "from_capability_id",
    to: "to_capability_id",
};

const OF_OTHERS: Table = Table {
    name: "tool_dependency",
    from: "from_tool_id",
    to: "to_tool_id",
};

fn table(from: &Node, to: &Node) -> &'static Table {
    match (from, to) {
        (Node::Code(_), Node::Code(_)) => &OF_CODE,
        _ => &OF_OTHERS,
    }
}

pub(super) fn get(connection: &Connection, from: &Node, to: &Node) -> Outcome<Option<Edge>> {
    let which = "e.from_id = ?1 AND e.to_id = ?2";
    let found = read(connection, which, [from.as_str(), to.as_str()])?;
    Ok(found.into_iter().next())
}

pub(super) fn put(connection: &Connection, edge: &Edge) -> Outcome<()> {
    let Table { name, from, to } = table(&edge.from, &edge.to);
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
        number(edge.observed),
        edge.kind.as_str(),
        edge.source.as_str(),
        edge.created_at,
        edge.last_observed,
    ])?;
    Ok(())
}

/// As what a relation was declared, whatever it is by now.
pub(super) fn declared(
    connection: &Connection,
    from: &Node,
    to: &Node,
) -> Outcome<Option<EdgeKind>> {
    let sql = "SELECT template_type FROM relation WHERE from_id = ?1 AND to_id = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row([from.as_str(), to.as_str()], |row| row.get(0));
    let found: Option<Option<String>> = found.optional()?;
    found
        .flatten()
        .map(|word| json::from_word(&word))
        .transpose()
}

pub(super) fn declare(
    connection: &Connection,
    (from, to): (&Node, &Node),
    kind: EdgeKind,
) -> Outcome<()> {
    let table = table(from, to);
    let sql = format!(
        "UPDATE {} SET template_type = ?3 WHERE {} = ?1 AND {} = ?2",
        table.name, table.from, table.to
    );
    connection
        .prepare_cached(&sql)?
        .execute([from.as_str(), to.as_str(), kind.as_str()])?;
    Ok(())
}

pub(super) fn delete(connection: &Connection, from: &Node, to: &Node) -> Outcome<()> {
    let table = table(from, to);
    let Table {
        name,
        from: a,
        to: b,
    } = table;
    let sql = format!("DELETE FROM {name} WHERE {a} = ?1 AND {b} = ?2");
    connection
        .prepare_cached(&sql)?
        .execute([from.as_str(), to.as_str()])?;
    Ok(())
}

/// Which relations, in the words of SQL: `e` is the relation, `f` and `t` are the records of its ends
/// where they are code.
pub(super) fn read(
    connection: &Connection,
    which: &str,
    params: impl Params,
) -> Outcome<Vec<Edge>> {
    let sql = format!("SELECT {COLUMNS} FROM {JOINED} WHERE {which}");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(one(row)?);
    }
    Ok(found)
}

pub(super) const JOINED: &str = "relation e \
    LEFT JOIN capability_records f ON f.id = e.from_id \
    LEFT JOIN capability_records t ON t.id = e.to_id";

const COLUMNS: &str = "e.from_id, f.id IS NOT NULL, e.to_id, t.id IS NOT NULL, e.edge_type, \
    e.edge_source, e.observed_count, e.created_at, e.last_observed";

/// A column that has a text, without a copy of it.
pub(super) fn text<'a>(row: &'a Row<'_>, column: usize) -> Outcome<&'a str> {
    let text = row.get_ref(column)?.as_str();
    Ok(text.map_err(rusqlite::Error::from)?)
}

fn one(row: &Row<'_>) -> Outcome<Edge> {
    Ok(Edge {
        from: node::read(row, 0)?,
        to: node::read(row, 2)?,
        kind: json::from_word(text(row, 4)?)?,
        source: json::from_word(text(row, 5)?)?,
        observed: count(row.get(6)?),
        created_at: row.get(7)?,
        last_observed: row.get(8)?,
    })
}
