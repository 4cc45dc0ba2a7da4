//! Forgetting relations.

use capstan_core::code::Node;
use capstan_core::port::Viewer;
use rusqlite::{Connection, ToSql};

use super::{add, list, row};
use crate::capabilities::VISIBLE;
use crate::fault::Outcome;

pub(crate) fn remove(
    connection: &Connection,
    viewer: &Viewer,
    (from, to): (&Node, &Node),
) -> Outcome<()> {
    let edge = list::one(connection, viewer, (from, to))?;
    let edge = edge.ok_or_else(|| add::missing(from, to))?;
    row::delete(connection, &edge.from, &edge.to)
}

/// What was learned, of one or of all; says how many. What was stated stays, without what was seen
/// of it; what others' executions taught, and what code of other projects does, is not the viewer's to
/// forget. Each table by one statement: what could be undone is noted for each anew, and for many that
/// takes ever longer.
pub(crate) fn forget_learned(
    connection: &Connection,
    viewer: &Viewer,
    node: Option<&Node>,
) -> Outcome<u64> {
    let node = node.map(Node::as_str);
    let mut params: Vec<(&str, &dyn ToSql)> = vec![
        (":org", &viewer.scope.org),
        (":project", &viewer.scope.project),
        (":user", &viewer.user),
    ];
    if node.is_some() {
        params.push((":node", &node));
    }
    let execute = |sql: &str| -> Outcome<u64> {
        let mut statement = connection.prepare_cached(sql)?;
        Ok(statement.execute(params.as_slice())? as u64)
    };
    let meant = |from: &str, to: &str| {
        let of_node = match node {
            Some(_) => format!("({from} = :node OR {to} = :node)"),
            None => "true".to_owned(),
        };
        format!("{of_node} AND {} AND {}", own(from), seen(to))
    };
    let of_others = |from: &str, to: &str| {
        format!(
            "EXISTS (SELECT 1 FROM edge_observation o JOIN traces t ON t.id = o.trace_id \
              WHERE o.from_id = {from} AND o.to_id = {to} \
              AND (t.org, t.project, t.owner) <> (:org, :project, :user))"
        )
    };
    let mut forgotten = 0;
    for table in row::TABLES {
        let (name, from, to) = (table.name, table.from, table.to);
        forgotten += execute(&format!(
            "DELETE FROM {name} WHERE +edge_source IN ('inferred', 'observed') AND {} \
             AND NOT {}",
            meant(from, to),
            of_others(from, to)
        ))?;
        execute(&format!(
            "DELETE FROM edge_observation WHERE (from_id, to_id) IN \
             (SELECT {from}, {to} FROM {name} \
              WHERE +edge_source IN ('template', 'manual') AND {}) \
             AND NOT EXISTS (SELECT 1 FROM traces t WHERE t.id = trace_id \
              AND (t.org, t.project, t.owner) <> (:org, :project, :user))",
            meant(from, to)
        ))?;
    }
    Ok(forgotten)
}

/// What is code has to be seen, and of the own project.
fn own(end: &str) -> String {
    format!(
        "NOT EXISTS (SELECT 1 FROM capability_records r WHERE r.id = {end} \
         AND NOT ({VISIBLE} AND r.org = :org AND r.project = :project))"
    )
}

/// What is code has to be seen.
fn seen(end: &str) -> String {
    format!("NOT EXISTS (SELECT 1 FROM capability_records r WHERE r.id = {end} AND NOT {VISIBLE})")
}
