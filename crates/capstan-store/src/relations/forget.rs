//! Forgetting relations.

use capstan_core::code::Node;
use capstan_core::port::Viewer;
use rusqlite::{Connection, ToSql};

use super::row::Table;
use super::{add, list, row};
use crate::capabilities::visible_as;
use crate::fault::Outcome;
use crate::number::count;

pub(crate) fn remove(
    connection: &Connection,
    viewer: &Viewer,
    (from, to): (&Node, &Node),
) -> Outcome<()> {
    let edge = list::one(connection, viewer, (from, to))?;
    let edge = edge.ok_or_else(|| add::missing(from, to))?;
    row::delete(connection, &edge.from, &edge.to)
}

/// What was learned, of one or of all; says how many. What was stated is again what it was stated as,
/// without what was seen of it; what others' executions taught, and what code of other projects does, is
/// not the viewer's to forget. Each table by few statements: what could be undone is noted for each anew,
/// and for many that takes ever longer.
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
    let mut forgotten = 0;
    for table in row::TABLES {
        let Table { name, from, to } = table;
        let meant = meant(&table, node.is_some());
        let learned = format!(
            "+edge_source IN ('inferred', 'observed') AND NOT EXISTS \
               (SELECT 1 FROM edge_observation o \
                WHERE o.from_id = {from} AND o.to_id = {to} AND {OF_OTHERS})"
        );
        forgotten += execute(&format!(
            "DELETE FROM {name} WHERE {learned} AND template_type IS NULL AND {meant}"
        ))?;
        let stated = format!("(+edge_source IN ('template', 'manual') OR ({learned})) AND {meant}");
        // Before they are changed: then nobody can tell which they were.
        let sql = format!("SELECT count(*) FROM {name} WHERE {learned} AND {meant}");
        let again: i64 = connection
            .prepare_cached(&sql)?
            .query_row(params.as_slice(), |row| row.get(0))?;
        forgotten += count(again);
        let own = format!(
            "FROM edge_observation o WHERE o.from_id = {from} AND o.to_id = {to} AND NOT {OF_OTHERS}"
        );
        execute(&format!(
            "UPDATE {name} SET \
               observed_count = \
                 max(1, observed_count - (SELECT CAST(total(o.times) AS INTEGER) {own})), \
               edge_type = iif(edge_source = 'manual', edge_type, template_type), \
               edge_source = iif(edge_source = 'manual', 'manual', 'template') \
             WHERE {stated} \
               AND (+edge_source IN ('inferred', 'observed') OR EXISTS (SELECT 1 {own}))"
        ))?;
        execute(&format!(
            "DELETE FROM edge_observation AS o WHERE NOT {OF_OTHERS} AND (o.from_id, o.to_id) IN \
             (SELECT {from}, {to} FROM {name} \
              WHERE +edge_source IN ('template', 'manual') AND {meant})"
        ))?;
    }
    Ok(forgotten)
}

/// An observation `o` that is somebody else's.
const OF_OTHERS: &str = "EXISTS (SELECT 1 FROM traces t WHERE t.id = o.trace_id \
    AND (t.org, t.project, t.owner) <> (:org, :project, :user))";

/// Those of one node, or all, as far as they are the viewer's to change.
fn meant(Table { from, to, .. }: &Table, of_one: bool) -> String {
    let of_node = match of_one {
        true => format!("({from} = :node OR {to} = :node)"),
        false => "true".to_owned(),
    };
    format!("{of_node} AND {} AND {}", own(from), seen(to))
}

/// What is code has to be seen, and of the own project.
fn own(end: &str) -> String {
    let visible = visible_as("r");
    format!(
        "NOT EXISTS (SELECT 1 FROM capability_records r WHERE r.id = {end} \
         AND NOT ({visible} AND r.org = :org AND r.project = :project))"
    )
}

/// What is code has to be seen.
fn seen(end: &str) -> String {
    let visible = visible_as("r");
    format!("NOT EXISTS (SELECT 1 FROM capability_records r WHERE r.id = {end} AND NOT {visible})")
}
