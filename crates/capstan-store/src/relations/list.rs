//! Which relations there are, for those who see both ends.

use capstan_core::code::{Edge, Node, Observed, TraceId};
use capstan_core::port::{Direction, Viewer};
use rusqlite::{Connection, ToSql, named_params};

use super::row;
use crate::fault::Outcome;
use crate::json;
use crate::number::count as whole;

pub(crate) fn of_node(
    connection: &Connection,
    viewer: &Viewer,
    node: &Node,
    direction: Direction,
) -> Outcome<Vec<Edge>> {
    let mut found = Vec::new();
    if direction != Direction::To {
        let which = format!("e.from_id = :node AND {SEEN} ORDER BY e.to_id");
        found.extend(of(connection, viewer, node, &which)?);
    }
    if direction != Direction::From {
        let which = format!("e.to_id = :node AND {SEEN} ORDER BY e.from_id");
        found.extend(of(connection, viewer, node, &which)?);
    }
    Ok(found)
}

/// What it contains.
pub(super) fn contained(
    connection: &Connection,
    viewer: &Viewer,
    node: &Node,
) -> Outcome<Vec<Edge>> {
    let which =
        format!("e.from_id = :node AND e.edge_type = 'contains' AND {SEEN} ORDER BY e.to_id");
    of(connection, viewer, node, &which)
}

pub(crate) fn count(connection: &Connection, viewer: &Viewer, node: &Node) -> Outcome<u64> {
    let sql = format!(
        "SELECT count(*) FROM {} WHERE (e.from_id = :node OR e.to_id = :node) AND {SEEN}",
        row::JOINED
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

pub(crate) fn all(
    connection: &Connection,
    viewer: &Viewer,
    above: Option<f64>,
) -> Outcome<Vec<Edge>> {
    let which = format!(
        "(:above IS NULL OR e.confidence_score > :above) AND {SEEN} ORDER BY e.from_id, e.to_id"
    );
    visible(connection, viewer, &which, &[(":above", &above)])
}

/// One, with why it is there, as far as that is the viewer's own to see.
pub(crate) fn with_observations(
    connection: &Connection,
    viewer: &Viewer,
    (from, to): (&Node, &Node),
) -> Outcome<Option<(Edge, Vec<Observed>)>> {
    let which = format!("e.from_id = :from AND e.to_id = :to AND {SEEN}");
    let ends: [(&str, &dyn ToSql); 2] = [(":from", &from.as_str()), (":to", &to.as_str())];
    let Some(edge) = visible(connection, viewer, &which, &ends)?.pop() else {
        return Ok(None);
    };
    let sql = "SELECT o.edge_type, o.times, o.evidence, o.trace_id, o.at FROM edge_observation o \
               LEFT JOIN traces t ON t.id = o.trace_id \
               WHERE o.from_id = ?1 AND o.to_id = ?2 AND (o.trace_id IS NULL \
                 OR (t.org = ?3 AND t.project = ?4 AND t.owner = ?5)) \
               ORDER BY o.trace_id DESC, o.edge_type";
    let mut statement = connection.prepare_cached(sql)?;
    let Viewer { scope, user } = viewer;
    let mut rows =
        statement.query([from.as_str(), to.as_str(), &scope.org, &scope.project, user])?;
    let mut seen = Vec::new();
    while let Some(row) = rows.next()? {
        seen.push(Observed {
            kind: json::from_word(&row.get::<_, String>(0)?)?,
            times: whole(row.get(1)?),
            evidence: json::read(&row.get::<_, String>(2)?, "evidence of a relation")?,
            trace: row.get::<_, Option<String>>(3)?.map(TraceId::kept),
            at: row.get(4)?,
        });
    }
    Ok(Some((edge, seen)))
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
pub(super) const SEEN: &str = "(f.id IS NULL OR f.visibility = 'public' \
      OR (f.visibility = 'org' AND f.org = :org) \
      OR (f.org = :org AND f.project = :project \
          AND (f.visibility = 'project' OR f.owner = :user))) \
    AND (t.id IS NULL OR t.visibility = 'public' \
      OR (t.visibility = 'org' AND t.org = :org) \
      OR (t.org = :org AND t.project = :project \
          AND (t.visibility = 'project' OR t.owner = :user)))";
