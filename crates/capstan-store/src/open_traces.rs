//! Executions that are under way, as recorded before each of their writes left. After a crash the
//! rest is shown like other traces; nothing is learned from it.

use capstan_core::code::{CallStage, OpenTrace, Trace, TraceCall, TraceState, TraceSummary};
use capstan_core::port::{TraceFilter, Viewer};
use capstan_core::run::{Noted, Presence, RunState, RunTurn};
use rusqlite::{Connection, Row, params};
use serde_json::Value;

use crate::fault::StoreResult;
use crate::id_prefix;
use crate::integer::to_sql_integer;
use crate::json;
use crate::process::OwnProcess;

/// Records how far an execution is. Records nothing if the execution belongs to an attempt at a run
/// that has lost its turn.
pub(crate) fn record(
    connection: &Connection,
    viewer: &Viewer,
    open: &OpenTrace,
    turn: Option<&RunTurn>,
    process: &OwnProcess,
) -> StoreResult<Noted> {
    if let Some(turn) = turn
        && !has_turn(connection, turn)?
    {
        return Ok(Noted::TurnOver);
    }
    if has_final_trace(connection, open.trace.id.as_str())? {
        // The final trace already contains everything that arrives later.
        return Ok(Noted::Kept);
    }
    let sql = "INSERT INTO open_traces (id, org, project, owner, trace, process_lock) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (id) DO NOTHING";
    connection.prepare_cached(sql)?.execute(params![
        open.trace.id.as_str(),
        viewer.scope.org,
        viewer.scope.project,
        viewer.user,
        json::write(&Trace {
            input: shallow_or_null(&open.trace.input),
            ..open.trace.clone()
        })?,
        process.lock_name(),
    ])?;
    let sql = "INSERT INTO open_calls (trace_id, position, stage, writes, call) \
               VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (trace_id, position) DO UPDATE \
               SET stage = excluded.stage, writes = excluded.writes, call = excluded.call";
    let mut statement = connection.prepare_cached(sql)?;
    for call in &open.calls {
        statement.execute(params![
            open.trace.id.as_str(),
            call.position,
            json::to_word(&call.stage)?,
            call.writes,
            json::write(&without_deep_values(&call.call))?
        ])?;
    }
    Ok(Noted::Kept)
}

/// Deletes the open trace, because the final trace is stored.
pub(crate) fn close(connection: &Connection, id: &str) -> StoreResult<()> {
    let sql = "DELETE FROM open_traces WHERE id = ?1";
    connection.prepare_cached(sql)?.execute([id])?;
    Ok(())
}

/// Returns the trace with this id, or the only one whose id begins with it.
pub(crate) fn get(
    connection: &Connection,
    viewer: &Viewer,
    id: &str,
    process: &OwnProcess,
) -> StoreResult<Option<Trace>> {
    let sql = format!("{SELECT} AND t.id >= ?4 AND t.id < ?5 ORDER BY t.id LIMIT 2");
    let read = |row: &Row<'_>| read(connection, row, process);
    id_prefix::find_by_prefix(connection, &sql, (viewer, id), "traces", read)
}

/// Returns the matching traces, newest first.
pub(crate) fn list(
    connection: &Connection,
    viewer: &Viewer,
    filter: &TraceFilter,
    process: &OwnProcess,
) -> StoreResult<Vec<TraceSummary>> {
    if filter.ok == Some(true) {
        return Ok(Vec::new());
    }
    let sql = format!("{SELECT} AND (?4 IS NULL OR t.id < ?4) ORDER BY t.id DESC");
    let before = filter.before.as_ref().map(|id| id.as_str());
    let Viewer { scope, user } = viewer;
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![scope.org, scope.project, user, before])?;
    let limit = filter.limit.map_or(usize::MAX, |limit| limit as usize);
    let mut found = Vec::new();
    while found.len() < limit
        && let Some(row) = rows.next()?
    {
        let trace = read(connection, row, process)?;
        let has_capability = |name: &String| {
            let is_call = |call: &TraceCall| call.capability == *name;
            trace.capability.as_ref() == Some(name) || trace.calls.iter().any(is_call)
        };
        // An execution that is under way has not failed.
        let has_outcome = filter.ok.is_none() || trace.state == TraceState::Crashed;
        if has_outcome && filter.capability.as_ref().is_none_or(has_capability) {
            found.push(summary(&trace));
        }
    }
    Ok(found)
}

/// Deletes crashed traces except among the newest `keep`; returns how many were deleted.
pub(crate) fn prune(
    connection: &Connection,
    viewer: &Viewer,
    keep: u64,
    process: &OwnProcess,
) -> StoreResult<u64> {
    let sql = format!("{SELECT} ORDER BY t.id DESC LIMIT -1 OFFSET ?4");
    let Viewer { scope, user } = viewer;
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![
        scope.org,
        scope.project,
        user,
        to_sql_integer(keep)
    ])?;
    let mut gone = Vec::new();
    while let Some(row) = rows.next()? {
        if state(row, process)? == TraceState::Crashed {
            gone.push(row.get::<_, String>(0)?);
        }
    }
    for id in &gone {
        close(connection, id)?;
    }
    Ok(gone.len() as u64)
}

const SELECT: &str = "SELECT t.id, t.trace, t.process_lock FROM open_traces t \
    WHERE t.org = ?1 AND t.project = ?2 AND t.owner = ?3";

fn read(connection: &Connection, row: &Row<'_>, process: &OwnProcess) -> StoreResult<Trace> {
    let id: String = row.get(0)?;
    let trace: Trace = json::read(&row.get::<_, String>(1)?, "a trace that is under way")?;
    let state = state(row, process)?;
    let calls = read_calls(connection, &id, state)?;
    let end = calls.iter().map(|call| call.started_us + call.duration_us);
    Ok(Trace {
        duration_us: end.max().unwrap_or(0),
        state,
        ok: false,
        error: Some(
            match state {
                TraceState::Crashed => {
                    "its process was killed or crashed before the end; each call shows what is \
                     known about it"
                }
                _ => {
                    "it is under way; each call shows what was known before the last write was sent"
                }
            }
            .to_owned(),
        ),
        calls,
        ..trace
    })
}

fn state(row: &Row<'_>, process: &OwnProcess) -> StoreResult<TraceState> {
    let lock: Option<String> = row.get(2)?;
    Ok(match process.presence(lock.as_deref()) {
        Presence::Gone => TraceState::Crashed,
        Presence::Alive | Presence::Unknown => TraceState::UnderWay,
    })
}

fn read_calls(
    connection: &Connection,
    trace: &str,
    state: TraceState,
) -> StoreResult<Vec<TraceCall>> {
    let sql = "SELECT stage, writes, call FROM open_calls WHERE trace_id = ?1 ORDER BY position";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([trace])?;
    let mut calls = Vec::new();
    while let Some(row) = rows.next()? {
        let call: TraceCall = json::read(&row.get::<_, String>(2)?, "a call that is under way")?;
        let writes = row.get(1)?;
        let stage = json::from_word(&row.get::<_, String>(0)?)?;
        let call = match (stage, state) {
            (CallStage::Answered, _) => call,
            (stage, TraceState::Crashed) => call.cut_off(stage == CallStage::Left, writes),
            (stage, _) => call.unanswered(stage == CallStage::Left, writes),
        };
        calls.push(call);
    }
    Ok(calls)
}

fn summary(trace: &Trace) -> TraceSummary {
    TraceSummary {
        id: trace.id.clone(),
        mode: trace.mode,
        state: trace.state,
        intent: trace.intent.clone(),
        capability: trace.capability.clone(),
        started_at: trace.started_at,
        duration_us: trace.duration_us,
        ok: trace.ok,
        error_code: trace.error_code,
        calls: trace.calls.len() as u64,
    }
}

/// Drops values that are too deep to be read again. How far the call is, is kept.
fn without_deep_values(call: &TraceCall) -> TraceCall {
    TraceCall {
        input: shallow_or_null(&call.input),
        output: shallow_or_null(&call.output),
        ..call.clone()
    }
}

fn shallow_or_null(value: &Value) -> Value {
    if json::is_shallow(value) {
        value.clone()
    } else {
        Value::Null
    }
}

fn has_final_trace(connection: &Connection, id: &str) -> StoreResult<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM traces WHERE id = ?1)";
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row([id], |row| row.get(0))?)
}

fn has_turn(connection: &Connection, turn: &RunTurn) -> StoreResult<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?1 AND attempt = ?2 AND state = ?3)";
    let open = json::to_word(&RunState::Open)?;
    let mut statement = connection.prepare_cached(sql)?;
    let params = params![turn.run.as_str(), turn.attempt, open];
    Ok(statement.query_row(params, |row| row.get(0))?)
}
