//! What traces teach, each once.

use capstan_core::code::{Edge, EdgeKind, EdgeSource, Observation, Timestamp, Trace, TraceId};
use capstan_core::port::{Learned, Viewer};
use rusqlite::{Connection, OptionalExtension, params};

use super::{cycle, node, row, state};
use crate::fault::Outcome;
use crate::number::number;
use crate::{json, traces};

/// Somebody's own from which nothing was learned, oldest first.
pub(crate) fn unlearned(
    connection: &Connection,
    viewer: &Viewer,
    limit: u64,
) -> Outcome<Vec<Trace>> {
    let sql = "SELECT id FROM traces WHERE org = ?1 AND project = ?2 AND owner = ?3 \
               AND learned = 0 ORDER BY id LIMIT ?4";
    let mut statement = connection.prepare_cached(sql)?;
    let Viewer { scope, user } = viewer;
    let params = params![scope.org, scope.project, user, number(limit)];
    let ids = statement.query_map(params, |row| row.get::<_, String>(0))?;
    let mut found = Vec::new();
    for id in ids {
        found.extend(traces::get(connection, viewer, &id?)?);
    }
    Ok(found)
}

/// The second time nothing happens.
pub(crate) fn learn(
    connection: &Connection,
    viewer: &Viewer,
    trace: &TraceId,
    observations: &[Observation],
) -> Outcome<Learned> {
    let sql = "UPDATE traces SET learned = 1 WHERE id = ?1 AND org = ?2 AND project = ?3 \
               AND owner = ?4 AND learned = 0 RETURNING started_at";
    let Viewer { scope, user } = viewer;
    let params = params![trace.as_str(), scope.org, scope.project, user];
    let mut statement = connection.prepare_cached(sql)?;
    let at: Option<Timestamp> = statement.query_row(params, |row| row.get(0)).optional()?;
    match at {
        Some(at) => take_over(connection, viewer, Some(trace), observations, at),
        None => Ok(Learned::default()),
    }
}

/// Adds observations to the relations that they are of. What is of code that is gone, or not to be
/// seen, is left out.
pub(super) fn take_over(
    connection: &Connection,
    viewer: &Viewer,
    trace: Option<&TraceId>,
    observations: &[Observation],
    at: Timestamp,
) -> Outcome<Learned> {
    let mut learned = Learned::default();
    for observation in observations {
        let Observation {
            from,
            to,
            kind,
            times,
            ..
        } = observation;
        let is_one = *times > 0 && from.as_str() != to.as_str();
        if !is_one
            || !node::is_seen(connection, viewer, from)?
            || !node::is_seen(connection, viewer, to)?
        {
            continue;
        }
        let sql = "INSERT INTO edge_observation \
                   (from_id, to_id, edge_type, trace_id, times, evidence, at) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING";
        let added = connection.prepare_cached(sql)?.execute(params![
            from.as_str(),
            to.as_str(),
            kind.as_str(),
            trace.map(TraceId::as_str),
            number(*times),
            json::write(&observation.evidence)?,
            at,
        ])?;
        if added == 0 {
            continue;
        }
        let known = row::get(connection, from, to)?;
        let contained = known
            .as_ref()
            .is_some_and(|it| it.kind == EdgeKind::Contains);
        let seen = Edge {
            from: from.clone(),
            to: to.clone(),
            kind: *kind,
            source: EdgeSource::Inferred,
            observed: *times,
            created_at: at,
            last_observed: at,
        };
        let edge = state::observed(known, seen);
        row::put(connection, &edge)?;
        learned.changed += 1;
        if edge.kind == EdgeKind::Contains && !contained {
            learned
                .cycles
                .extend(cycle::through(connection, viewer, from, to)?);
        }
    }
    Ok(learned)
}
