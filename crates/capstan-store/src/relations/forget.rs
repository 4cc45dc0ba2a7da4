//! Removes relations, and forgets what was learned.

use capstan_core::code::Node;
use capstan_core::port::Viewer;
use rusqlite::{Connection, ToSql};

use super::row::Table;
use super::{add, list, row};
use crate::capabilities::visibility_condition;
use crate::fault::StoreResult;
use crate::integer::from_sql_integer;

pub(crate) fn remove(
    connection: &Connection,
    viewer: &Viewer,
    (from, to): (&Node, &Node),
) -> StoreResult<()> {
    let edge = list::find_visible(connection, viewer, (from, to))?;
    let edge = edge.ok_or_else(|| add::missing(from, to))?;
    row::delete(connection, &edge.from, &edge.to)
}

/// Forgets what was learned about one node or about all; returns how many relations changed. A
/// stated relation returns to the kind that was stated, without what was observed. A viewer
/// cannot remove what other users' executions taught, nor what code of other projects does. Each
/// table needs only a few statements: SQLite keeps rollback data for each statement, and that
/// becomes ever slower for many.
pub(crate) fn forget_learned(
    connection: &Connection,
    viewer: &Viewer,
    node: Option<&Node>,
) -> StoreResult<u64> {
    let node = node.map(Node::as_str);
    let mut params: Vec<(&str, &dyn ToSql)> = vec![
        (":org", &viewer.scope.org),
        (":project", &viewer.scope.project),
        (":user", &viewer.user),
    ];
    if node.is_some() {
        params.push((":node", &node));
    }
    let execute = |sql: &str| -> StoreResult<u64> {
        let mut statement = connection.prepare_cached(sql)?;
        Ok(statement.execute(params.as_slice())? as u64)
    };
    let mut forgotten = 0;
    for table in row::TABLES {
        let Table { name, from, to } = table;
        let changeable = changeable_condition(&table, node.is_some());
        let learned = format!(
            "+edge_source IN ('inferred', 'observed') AND NOT EXISTS \
               (SELECT 1 FROM edge_observation o \
                WHERE o.from_id = {from} AND o.to_id = {to} AND {OF_OTHERS})"
        );
        forgotten += execute(&format!(
            "DELETE FROM {name} WHERE {learned} AND template_type IS NULL AND {changeable}"
        ))?;
        let stated =
            format!("(+edge_source IN ('template', 'manual') OR ({learned})) AND {changeable}");
        // Counted before the update: afterwards these rows cannot be told from the others.
        let sql = format!("SELECT count(*) FROM {name} WHERE {learned} AND {changeable}");
        let again: i64 = connection
            .prepare_cached(&sql)?
            .query_row(params.as_slice(), |row| row.get(0))?;
        forgotten += from_sql_integer(again);
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
              WHERE +edge_source IN ('template', 'manual') AND {changeable})"
        ))?;
    }
    Ok(forgotten)
}

/// The condition that an observation `o` belongs to somebody else.
const OF_OTHERS: &str = "EXISTS (SELECT 1 FROM traces t WHERE t.id = o.trace_id \
    AND (t.org, t.project, t.owner) <> (:org, :project, :user))";

/// The condition on relations of one node, or of all, that the viewer may change.
fn changeable_condition(Table { from, to, .. }: &Table, has_node: bool) -> String {
    let of_node = if has_node {
        format!("({from} = :node OR {to} = :node)")
    } else {
        "true".to_owned()
    };
    format!(
        "{of_node} AND {} AND {}",
        own_condition(from),
        visible_condition(to)
    )
}

/// The condition that an end, if it is code, is visible and belongs to the viewer's project.
fn own_condition(end: &str) -> String {
    let visible = visibility_condition("r");
    format!(
        "NOT EXISTS (SELECT 1 FROM capability_records r WHERE r.id = {end} \
         AND NOT ({visible} AND r.org = :org AND r.project = :project))"
    )
}

/// The condition that an end, if it is code, is visible.
fn visible_condition(end: &str) -> String {
    let visible = visibility_condition("r");
    format!("NOT EXISTS (SELECT 1 FROM capability_records r WHERE r.id = {end} AND NOT {visible})")
}
