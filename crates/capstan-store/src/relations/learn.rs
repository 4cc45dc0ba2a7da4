//! Learns relations from traces, once from each.

use std::collections::BTreeSet;

use capstan_core::code::{Edge, EdgeKind, EdgeSource, Observation, Timestamp, Trace, TraceId};
use capstan_core::port::{Learned, Viewer};
use rusqlite::{Connection, OptionalExtension, params};

use super::{cycle, evidence, node, row, state};
use crate::fault::StoreResult;
use crate::integer::to_sql_integer;
use crate::traces;

/// Returns the viewer's own traces from which nothing was learned yet, oldest first.
pub(crate) fn unlearned(
    connection: &Connection,
    viewer: &Viewer,
    limit: u64,
) -> StoreResult<Vec<Trace>> {
    let sql = "SELECT id FROM traces WHERE org = ?1 AND project = ?2 AND owner = ?3 \
               AND learned = 0 ORDER BY id LIMIT ?4";
    let mut statement = connection.prepare_cached(sql)?;
    let Viewer { scope, user } = viewer;
    let params = params![scope.org, scope.project, user, to_sql_integer(limit)];
    let ids = statement.query_map(params, |row| row.get::<_, String>(0))?;
    let mut found = Vec::new();
    for id in ids {
        found.extend(traces::get(connection, viewer, &id?)?);
    }
    Ok(found)
}

/// Records what a trace taught. Does nothing the second time.
pub(crate) fn learn(
    connection: &Connection,
    viewer: &Viewer,
    trace: &TraceId,
    observations: &[Observation],
) -> StoreResult<Learned> {
    let sql = "UPDATE traces SET learned = 1 WHERE id = ?1 AND org = ?2 AND project = ?3 \
               AND owner = ?4 AND learned = 0 RETURNING started_at";
    let Viewer { scope, user } = viewer;
    let params = params![trace.as_str(), scope.org, scope.project, user];
    let mut statement = connection.prepare_cached(sql)?;
    let at: Option<Timestamp> = statement.query_row(params, |row| row.get(0)).optional()?;
    match at {
        Some(at) => add_observations(connection, viewer, Some(trace), observations, at),
        None => Ok(Learned::default()),
    }
}

/// Adds observations to their relations. Leaves out those about code that is gone or that the
/// viewer may not see.
pub(super) fn add_observations(
    connection: &Connection,
    viewer: &Viewer,
    trace: Option<&TraceId>,
    observations: &[Observation],
    at: Timestamp,
) -> StoreResult<Learned> {
    let mut changed = BTreeSet::new();
    let mut cycles = Vec::new();
    for observation in observations {
        let Some(seen) = visible_observation(connection, viewer, observation)? else {
            continue;
        };
        if !evidence::record(connection, trace, &seen, at)? {
            continue;
        }
        let known = row::get(connection, &seen.from, &seen.to)?;
        let kind = known.as_ref().map(|known| known.kind);
        let new = Edge {
            from: seen.from,
            to: seen.to,
            kind: seen.kind,
            source: EdgeSource::Inferred,
            observed: seen.times,
            created_at: at,
            last_observed: at,
        };
        let edge = state::after_observation(known, new);
        row::upsert(connection, &edge)?;
        if edge.kind == EdgeKind::Contains && kind != Some(EdgeKind::Contains) {
            let cycle = cycle::find_through(connection, viewer, &edge.from, &edge.to)?;
            cycles.extend(cycle);
        }
        changed.insert((edge.from, edge.to));
    }
    Ok(Learned {
        changed: changed.len() as u64,
        cycles,
    })
}

/// Returns the observation if the viewer sees both ends.
fn visible_observation(
    connection: &Connection,
    viewer: &Viewer,
    observation: &Observation,
) -> StoreResult<Option<Observation>> {
    let Observation { from, to, .. } = observation;
    if observation.times == 0 || from.as_str() == to.as_str() {
        return Ok(None);
    }
    let from = node::find_visible(connection, viewer, from)?;
    let to = node::find_visible(connection, viewer, to)?;
    Ok(from.zip(to).map(|(from, to)| Observation {
        from,
        to,
        ..observation.clone()
    }))
}
