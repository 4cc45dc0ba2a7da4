//! Every relation that somebody sees, as whoever begins with a copy in memory asks for it.

use std::collections::HashMap;

use capstan_core::code::{Edge, Node};
use capstan_core::port::Viewer;
use rusqlite::{Connection, named_params};

use super::row;
use crate::capabilities::{rows, visible_as};
use crate::fault::Outcome;
use crate::json;
use crate::number::count;

/// In the order of the ends, which is that of both tables. Who sees which code is looked up here, because
/// there are far fewer records than relations.
pub(crate) fn all(
    connection: &Connection,
    viewer: &Viewer,
    above: Option<f64>,
) -> Outcome<Vec<Edge>> {
    let codes = Codes::of(connection, viewer)?;
    let sql = "SELECT from_id, to_id, edge_type, edge_source, observed_count, created_at, \
               last_observed FROM relation WHERE ?1 IS NULL OR confidence_score > ?1 \
               ORDER BY from_id, to_id";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([above])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let from = codes.seen(row::text(row, 0)?)?;
        let to = codes.seen(row::text(row, 1)?)?;
        let Some((from, to)) = from.zip(to) else {
            continue;
        };
        found.push(Edge {
            from,
            to,
            kind: json::from_word(row::text(row, 2)?)?,
            source: json::from_word(row::text(row, 3)?)?,
            observed: count(row.get(4)?),
            created_at: row.get(5)?,
            last_observed: row.get(6)?,
        });
    }
    Ok(found)
}

/// All code, and whether the viewer sees it.
struct Codes(HashMap<String, bool>);

impl Codes {
    fn of(connection: &Connection, viewer: &Viewer) -> Outcome<Self> {
        let sql = format!("SELECT r.id, {} FROM capability_records r", visible_as("r"));
        let mut statement = connection.prepare_cached(&sql)?;
        let params = named_params! {
            ":org": viewer.scope.org,
            ":project": viewer.scope.project,
            ":user": viewer.user,
        };
        let codes = statement.query_map(params, |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(Self(codes.collect::<Result<_, _>>()?))
    }

    fn seen(&self, end: &str) -> Outcome<Option<Node>> {
        Ok(match self.0.get(end) {
            Some(true) => Some(Node::Code(rows::fqdn(end)?)),
            Some(false) => None,
            None => Some(Node::Named(end.to_owned())),
        })
    }
}
