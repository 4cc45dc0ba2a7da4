//! Traces of executions, each visible to the viewer who executed. The ids of traces sort by time,
//! so sorting by id sorts by time.

use capstan_core::code::{Fqdn, Trace, TraceCall, TraceId, TraceState, TraceSummary};
use capstan_core::port::{TraceFilter, Viewer};
use rusqlite::{Connection, Row, named_params, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::capabilities::rows;
use crate::fault::StoreResult;
use crate::id_prefix;
use crate::integer::{from_sql_integer, to_sql_integer};
use crate::json;
use crate::open_traces;

/// Adds a trace. A trace with the same id stays unchanged.
pub(crate) fn add(
    connection: &Connection,
    viewer: &Viewer,
    trace: &Trace,
    is_learned: bool,
) -> StoreResult<()> {
    let capability = trace.capability.as_deref();
    insert(connection, viewer, trace, capability, is_learned)
}

/// Adds a trace of code whose name was not known while it ran.
pub(crate) fn add_for_code(
    connection: &Connection,
    viewer: &Viewer,
    trace: &Trace,
    fqdn: &Fqdn,
) -> StoreResult<()> {
    insert(connection, viewer, trace, Some(fqdn.as_str()), false)
}

/// Returns the matching traces, newest first.
pub(crate) fn list(
    connection: &Connection,
    viewer: &Viewer,
    filter: &TraceFilter,
) -> StoreResult<Vec<TraceSummary>> {
    let sql = format!(
        "SELECT {SUMMARY} FROM traces t \
         WHERE t.org = :org AND t.project = :project AND t.owner = :owner \
           AND (:capability IS NULL OR t.id IN \
                (SELECT id FROM traces WHERE capability = :capability \
                 UNION SELECT trace_id FROM trace_calls WHERE capability = :capability)) \
           AND (:ok IS NULL OR t.ok = :ok) \
           AND (:before IS NULL OR t.id < :before) \
         ORDER BY t.id DESC LIMIT :limit"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(named_params! {
        ":org": viewer.scope.org,
        ":project": viewer.scope.project,
        ":owner": viewer.user,
        ":capability": filter.capability,
        ":ok": filter.ok,
        ":before": filter.before.as_ref().map(TraceId::as_str),
        ":limit": filter.limit.map_or(-1, to_sql_integer),
    })?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read_summary(row)?);
    }
    Ok(found)
}

/// Returns the trace with this id, or the only one whose id begins with it.
pub(crate) fn get(
    connection: &Connection,
    viewer: &Viewer,
    id: &str,
) -> StoreResult<Option<Trace>> {
    let sql = format!(
        "SELECT {SUMMARY}, t.error, t.console, t.console_cut, t.follows, t.input FROM traces t \
         WHERE t.org = ?1 AND t.project = ?2 AND t.owner = ?3 \
           AND t.id >= ?4 AND t.id < ?5 ORDER BY t.id LIMIT 2"
    );
    let read = |row: &Row<'_>| read(connection, row);
    id_prefix::find_by_prefix(connection, &sql, (viewer, id), "traces", read)
}

/// Deletes all but the newest `keep` traces; returns how many were deleted.
pub(crate) fn prune(connection: &Connection, viewer: &Viewer, keep: u64) -> StoreResult<u64> {
    let sql = "DELETE FROM traces WHERE id IN \
               (SELECT id FROM traces WHERE org = ?1 AND project = ?2 AND owner = ?3 \
                ORDER BY id DESC LIMIT -1 OFFSET ?4)";
    let Viewer { scope, user } = viewer;
    let params = params![scope.org, scope.project, user, to_sql_integer(keep)];
    let deleted = connection.prepare_cached(sql)?.execute(params)?;
    Ok(deleted as u64)
}

const SUMMARY: &str = "t.id, t.mode, t.intent, t.capability, t.started_at, t.duration_us, t.ok, \
    t.error_code, t.call_count";

fn insert(
    connection: &Connection,
    viewer: &Viewer,
    trace: &Trace,
    capability: Option<&str>,
    is_learned: bool,
) -> StoreResult<()> {
    let sql = "INSERT INTO traces \
               (id, org, project, owner, mode, intent, capability, started_at, duration_us, ok, \
                error_code, error, call_count, console, console_cut, follows, input, learned) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, \
                       ?17, ?18) \
               ON CONFLICT (id) DO NOTHING";
    let console = (!trace.console.is_empty()).then_some(&trace.console);
    let added = connection.prepare_cached(sql)?.execute(params![
        trace.id.as_str(),
        viewer.scope.org,
        viewer.scope.project,
        viewer.user,
        json::to_word(&trace.mode)?,
        trace.intent,
        capability,
        trace.started_at,
        to_sql_integer(trace.duration_us),
        trace.ok,
        optional_word(trace.error_code.as_ref())?,
        trace.error,
        trace.calls.len() as i64,
        console.map(json::write).transpose()?,
        trace.console_cut,
        trace.follows.as_ref().map(json::write).transpose()?,
        json::write_or_placeholder(&trace.input)?,
        is_learned,
    ])?;
    // The final trace replaces the open one.
    open_traces::close(connection, trace.id.as_str())?;
    if added == 0 {
        return Ok(());
    }
    let sql = "INSERT INTO trace_calls \
               (trace_id, position, capability, within, batch, started_us, duration_us, ok, \
                error_code, error, input, output, step, code, outcome) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";
    let mut statement = connection.prepare_cached(sql)?;
    for (position, call) in trace.calls.iter().enumerate() {
        statement.execute(params![
            trace.id.as_str(),
            position as i64,
            call.capability,
            call.within,
            call.batch,
            to_sql_integer(call.started_us),
            to_sql_integer(call.duration_us),
            call.ok,
            optional_word(call.error_code.as_ref())?,
            call.error,
            json::write_or_placeholder(&call.input)?,
            json::write_or_placeholder(&call.output)?,
            call.step,
            call.code.as_ref().map(Fqdn::as_str),
            optional_word(call.outcome.as_ref())?,
        ])?;
    }
    Ok(())
}

fn read(connection: &Connection, row: &Row<'_>) -> StoreResult<Trace> {
    let summary = read_summary(row)?;
    let console = read_optional(row, 10, |text| json::read(text, "console of a trace"))?;
    Ok(Trace {
        calls: read_calls(connection, summary.id.as_str())?,
        id: summary.id,
        mode: summary.mode,
        state: summary.state,
        intent: summary.intent,
        capability: summary.capability,
        input: read_value(row, 13)?,
        follows: read_optional(row, 12, |text| json::read(text, "what a trace follows"))?,
        started_at: summary.started_at,
        duration_us: summary.duration_us,
        ok: summary.ok,
        error_code: summary.error_code,
        error: row.get(9)?,
        console: console.unwrap_or_default(),
        console_cut: row.get(11)?,
    })
}

fn read_summary(row: &Row<'_>) -> StoreResult<TraceSummary> {
    Ok(TraceSummary {
        id: TraceId::kept(row.get::<_, String>(0)?),
        mode: json::from_word(&row.get::<_, String>(1)?)?,
        state: TraceState::Ended,
        intent: row.get(2)?,
        capability: row.get(3)?,
        started_at: row.get(4)?,
        duration_us: from_sql_integer(row.get(5)?),
        ok: row.get(6)?,
        error_code: read_optional(row, 7, json::from_word)?,
        calls: from_sql_integer(row.get(8)?),
    })
}

fn read_calls(connection: &Connection, trace: &str) -> StoreResult<Vec<TraceCall>> {
    let sql = "SELECT capability, within, batch, started_us, duration_us, ok, error_code, error, \
               input, output, step, code, outcome FROM trace_calls WHERE trace_id = ?1 ORDER BY position";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([trace])?;
    let mut calls = Vec::new();
    while let Some(row) = rows.next()? {
        calls.push(TraceCall {
            capability: row.get(0)?,
            within: row.get(1)?,
            batch: row.get(2)?,
            started_us: from_sql_integer(row.get(3)?),
            duration_us: from_sql_integer(row.get(4)?),
            ok: row.get(5)?,
            error_code: read_optional(row, 6, json::from_word)?,
            error: row.get(7)?,
            input: read_value(row, 8)?,
            output: read_value(row, 9)?,
            step: row.get(10)?,
            code: read_optional(row, 11, rows::fqdn)?,
            outcome: read_optional(row, 12, json::from_word)?,
        });
    }
    Ok(calls)
}

fn optional_word<T: Serialize>(value: Option<&T>) -> StoreResult<Option<String>> {
    value.map(json::to_word).transpose()
}

fn read_value(row: &Row<'_>, column: usize) -> StoreResult<Value> {
    let value = read_optional(row, column, |text| json::read(text, "a value of a trace"))?;
    Ok(value.unwrap_or_default())
}

/// Parses the text in a column; `None` where the column is null.
fn read_optional<T: DeserializeOwned>(
    row: &Row<'_>,
    column: usize,
    read: impl Fn(&str) -> StoreResult<T>,
) -> StoreResult<Option<T>> {
    let text: Option<String> = row.get(column)?;
    text.as_deref().map(read).transpose()
}
