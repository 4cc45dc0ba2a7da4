//! All relations that a viewer sees, for callers who load a copy into memory.

use std::collections::HashMap;

use capstan_core::code::{Edge, Node};
use capstan_core::port::Viewer;
use rusqlite::{Connection, named_params};

use super::row;
use crate::capabilities::{rows, visibility_condition};
use crate::fault::StoreResult;
use crate::integer::from_sql_integer;
use crate::json;

/// Returns all visible relations, sorted by both ends, which is the order of both tables.
/// Visibility is looked up in memory, because there are far fewer records than relations.
pub(crate) fn all(
    connection: &Connection,
    viewer: &Viewer,
    above: Option<f64>,
) -> StoreResult<Vec<Edge>> {
    let codes = CodeVisibility::load(connection, viewer)?;
    let sql = "SELECT from_id, to_id, edge_type, edge_source, observed_count, created_at, \
               last_observed FROM relation WHERE ?1 IS NULL OR confidence_score > ?1 \
               ORDER BY from_id, to_id";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([above])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let from = codes.visible_node(row::text(row, 0)?)?;
        let to = codes.visible_node(row::text(row, 1)?)?;
        let Some((from, to)) = from.zip(to) else {
            continue;
        };
        found.push(Edge {
            from,
            to,
            kind: json::from_word(row::text(row, 2)?)?,
            source: json::from_word(row::text(row, 3)?)?,
            observed: from_sql_integer(row.get(4)?),
            created_at: row.get(5)?,
            last_observed: row.get(6)?,
        });
    }
    Ok(found)
}

/// For the id of each piece of code: whether the viewer sees it.
struct CodeVisibility(HashMap<String, bool>);

impl CodeVisibility {
    fn load(connection: &Connection, viewer: &Viewer) -> StoreResult<Self> {
        let sql = format!(
            "SELECT r.id, {} FROM capability_records r",
            visibility_condition("r")
        );
        let mut statement = connection.prepare_cached(&sql)?;
        let params = named_params! {
            ":org": viewer.scope.org,
            ":project": viewer.scope.project,
            ":user": viewer.user,
        };
        let codes = statement.query_map(params, |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(Self(codes.collect::<Result<_, _>>()?))
    }

    fn visible_node(&self, end: &str) -> StoreResult<Option<Node>> {
        Ok(match self.0.get(end) {
            Some(true) => Some(Node::Code(rows::fqdn(end)?)),
            Some(false) => None,
            None => Some(Node::Named(end.to_owned())),
        })
    }
}
