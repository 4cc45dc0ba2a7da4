//! The evidence for relations: one row for each trace, or one without a trace.

use capstan_core::code::{Evidence, Node, Observation, Observed, Timestamp, TraceId};
use capstan_core::port::Viewer;
use rusqlite::{Connection, params};

use crate::fault::StoreResult;
use crate::integer::{from_sql_integer, to_sql_integer};
use crate::json;

/// Records an observation; returns whether it counts. Evidence without a trace is recorded once.
pub(super) fn record(
    connection: &Connection,
    trace: Option<&TraceId>,
    seen: &Observation,
    at: Timestamp,
) -> StoreResult<bool> {
    let sql = format!(
        "INSERT INTO edge_observation (from_id, to_id, edge_type, trace_id, times, evidence, at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) {ADD_TIMES} WHERE trace_id IS NOT NULL"
    );
    let changed_rows = connection.prepare_cached(&sql)?.execute(params![
        seen.from.as_str(),
        seen.to.as_str(),
        seen.kind.as_str(),
        trace.map(TraceId::as_str),
        to_sql_integer(seen.times),
        json::write(&readable_evidence(&seen.evidence))?,
        at,
    ])?;
    Ok(changed_rows > 0)
}

/// Returns the evidence for a relation, newest first, without a trace last. Leaves out evidence
/// from traces of others.
pub(super) fn read_evidence(
    connection: &Connection,
    viewer: &Viewer,
    (from, to): (&Node, &Node),
) -> StoreResult<Vec<Observed>> {
    let sql = "SELECT o.edge_type, o.times, o.evidence, o.trace_id, o.at FROM edge_observation o \
               LEFT JOIN traces t ON t.id = o.trace_id \
               WHERE o.from_id = ?1 AND o.to_id = ?2 AND (o.trace_id IS NULL \
                 OR (t.org = ?3 AND t.project = ?4 AND t.owner = ?5)) \
               ORDER BY o.trace_id DESC, o.edge_type";
    let mut statement = connection.prepare_cached(sql)?;
    let Viewer { scope, user } = viewer;
    let mut rows =
        statement.query([from.as_str(), to.as_str(), &scope.org, &scope.project, user])?;
    let mut observations = Vec::new();
    while let Some(row) = rows.next()? {
        observations.push(Observed {
            kind: json::from_word(&row.get::<_, String>(0)?)?,
            times: from_sql_integer(row.get(1)?),
            evidence: json::read(&row.get::<_, String>(2)?, "evidence of a relation")?,
            trace: row.get::<_, Option<String>>(3)?.map(TraceId::kept),
            at: row.get(4)?,
        });
    }
    Ok(observations)
}

/// Copies the evidence for one relation to another. Where one trace is evidence for both, its
/// counts are added.
pub(super) fn copy(
    connection: &Connection,
    (from, to): (&Node, &Node),
    (new_from, new_to): (&Node, &Node),
) -> StoreResult<()> {
    let sql = format!(
        "INSERT INTO edge_observation (from_id, to_id, edge_type, trace_id, times, evidence, at) \
         SELECT ?3, ?4, edge_type, trace_id, times, evidence, at FROM edge_observation \
         WHERE from_id = ?1 AND to_id = ?2 {ADD_TIMES}"
    );
    connection.prepare_cached(&sql)?.execute([
        from.as_str(),
        to.as_str(),
        new_from.as_str(),
        new_to.as_str(),
    ])?;
    Ok(())
}

/// Adds the counts of the same trace; saturates at the largest integer.
const ADD_TIMES: &str = "ON CONFLICT DO UPDATE SET times = \
    min(times, 9223372036854775807 - excluded.times) + excluded.times";

/// Replaces a number that is not finite: JSON could not be read again.
fn readable_evidence(evidence: &Evidence) -> Evidence {
    match evidence {
        Evidence::AlikeIntents(alike) if !alike.is_finite() => Evidence::AlikeIntents(0.0),
        evidence => evidence.clone(),
    }
}
