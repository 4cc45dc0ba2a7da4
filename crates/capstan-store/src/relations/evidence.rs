//! What relations were learned from: one row for each trace, or for what needed none.

use capstan_core::code::{Evidence, Node, Observation, Observed, Timestamp, TraceId};
use capstan_core::port::Viewer;
use rusqlite::{Connection, params};

use crate::fault::Outcome;
use crate::json;
use crate::number::{count, number};

/// Says whether it is new: what needed no trace is noted once.
pub(super) fn note(
    connection: &Connection,
    trace: Option<&TraceId>,
    seen: &Observation,
    at: Timestamp,
) -> Outcome<bool> {
    let sql = format!(
        "INSERT INTO edge_observation (from_id, to_id, edge_type, trace_id, times, evidence, at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) {JOIN} WHERE trace_id IS NOT NULL"
    );
    let noted = connection.prepare_cached(&sql)?.execute(params![
        seen.from.as_str(),
        seen.to.as_str(),
        seen.kind.as_str(),
        trace.map(TraceId::as_str),
        number(seen.times),
        json::write(&sane(&seen.evidence))?,
        at,
    ])?;
    Ok(noted > 0)
}

/// Why a relation is there, as far as that is the viewer's own to see. Newest first; what needed no trace
/// comes last.
pub(super) fn of(
    connection: &Connection,
    viewer: &Viewer,
    (from, to): (&Node, &Node),
) -> Outcome<Vec<Observed>> {
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
            times: count(row.get(1)?),
            evidence: json::read(&row.get::<_, String>(2)?, "evidence of a relation")?,
            trace: row.get::<_, Option<String>>(3)?.map(TraceId::kept),
            at: row.get(4)?,
        });
    }
    Ok(seen)
}

/// Gives what one relation was learned from to another. Where the same trace showed both, it showed
/// the other as often as both.
pub(super) fn copy(
    connection: &Connection,
    (from, to): (&Node, &Node),
    (new_from, new_to): (&Node, &Node),
) -> Outcome<()> {
    let sql = format!(
        "INSERT INTO edge_observation (from_id, to_id, edge_type, trace_id, times, evidence, at) \
         SELECT ?3, ?4, edge_type, trace_id, times, evidence, at FROM edge_observation \
         WHERE from_id = ?1 AND to_id = ?2 {JOIN}"
    );
    connection.prepare_cached(&sql)?.execute([
        from.as_str(),
        to.as_str(),
        new_from.as_str(),
        new_to.as_str(),
    ])?;
    Ok(())
}

/// The same of the same trace is counted. Beyond the largest number nothing is.
const JOIN: &str = "ON CONFLICT DO UPDATE SET times = \
    min(times, 9223372036854775807 - excluded.times) + excluded.times";

/// What is no number could be written, but not read again.
fn sane(evidence: &Evidence) -> Evidence {
    match evidence {
        Evidence::AlikeIntents(alike) if !alike.is_finite() => Evidence::AlikeIntents(0.0),
        evidence => evidence.clone(),
    }
}
