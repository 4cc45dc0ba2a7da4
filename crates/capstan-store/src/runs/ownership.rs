//! The ownership of a run: it begins, an attempt takes it over, it ends.

use capstan_core::code::Timestamp;
use capstan_core::port::Viewer;
use capstan_core::run::{NewRun, RunEnd, RunState, RunStep, RunTurn};
use rusqlite::{Connection, params};

use super::record::record_decision;
use crate::fault::{Fault, StoreResult};
use crate::integer::to_sql_integer;
use crate::json;
use crate::process::OwnProcess;

pub(crate) fn begin(
    connection: &Connection,
    viewer: &Viewer,
    run: &NewRun,
    process: &OwnProcess,
) -> StoreResult<()> {
    let sql = "INSERT INTO runs (id, org, project, owner, skill, fingerprint, input, input_hash, total, \
               attempt, state, started_at, updated_at, process, process_lock, taken_at) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 1, ?10, ?11, ?11, ?12, ?13, ?11)";
    let input = run.input.as_ref().map(|input| {
        let input = serde_json::Value::Object(input.clone());
        json::write_shallow(&input, "inputs")
    });
    connection.prepare_cached(sql)?.execute(params![
        run.id.as_str(),
        viewer.scope.org,
        viewer.scope.project,
        viewer.user,
        run.skill,
        run.fingerprint,
        input.transpose()?,
        run.input_hash,
        to_sql_integer(run.total),
        json::to_word(&RunState::Open)?,
        run.at,
        std::process::id(),
        process.lock_name(),
    ])?;
    Ok(())
}

/// Takes over a run; `None` if the run has changed since it was seen.
pub(crate) fn take_over(
    connection: &Connection,
    viewer: &Viewer,
    (seen, revision): (&RunTurn, u64),
    steps: &[RunStep],
    (process, at): (&OwnProcess, Timestamp),
) -> StoreResult<Option<RunTurn>> {
    let next = RunTurn {
        run: seen.run.clone(),
        attempt: seen.attempt.saturating_add(1),
    };
    let sql = "UPDATE runs SET attempt = ?1, revision = revision + 1, state = ?2, error = NULL, \
                 updated_at = max(updated_at, ?3), taken_at = ?3, process = ?4, process_lock = ?5 \
               WHERE id = ?6 AND attempt = ?7 AND revision = ?8 AND state <> ?9 \
                 AND org = ?10 AND project = ?11 AND owner = ?12";
    let taken = connection.prepare_cached(sql)?.execute(params![
        next.attempt,
        json::to_word(&RunState::Open)?,
        at,
        std::process::id(),
        process.lock_name(),
        seen.run.as_str(),
        seen.attempt,
        to_sql_integer(revision),
        json::to_word(&RunState::Ok)?,
        viewer.scope.org,
        viewer.scope.project,
        viewer.user,
    ])?;
    if taken == 0 {
        return Ok(None);
    }
    for step in steps {
        record_decision(connection, &next, step)?;
    }
    check_no_unresolved_write(connection, &next)?;
    Ok(Some(next))
}

pub(crate) fn end(connection: &Connection, turn: &RunTurn, end: &RunEnd) -> StoreResult<()> {
    let state = match &end.error {
        None => RunState::Ok,
        Some(_) => RunState::Failed,
    };
    let sql = "UPDATE runs SET state = ?1, error = ?2, revision = revision + 1, \
                 updated_at = max(updated_at, ?3) \
               WHERE id = ?4 AND attempt = ?5 AND state = ?6";
    let ended = connection.prepare_cached(sql)?.execute(params![
        json::to_word(&state)?,
        end.error,
        end.at,
        turn.run.as_str(),
        turn.attempt,
        json::to_word(&RunState::Open)?,
    ])?;
    if ended == 0 {
        return Err(turn_over_fault(connection, turn)?);
    }
    if state == RunState::Ok {
        // Nobody will resume it, so its values are not needed.
        for sql in [
            "UPDATE run_steps SET output = NULL WHERE run_id = ?1",
            "UPDATE run_sends SET output = NULL WHERE run_id = ?1",
            "UPDATE runs SET input = NULL WHERE id = ?1",
        ] {
            connection
                .prepare_cached(sql)?
                .execute([turn.run.as_str()])?;
        }
    }
    Ok(())
}

/// Refuses to go on while a write of the run has no known end, whatever the caller decided.
fn check_no_unresolved_write(connection: &Connection, turn: &RunTurn) -> StoreResult<()> {
    let sql = "SELECT EXISTS (SELECT 1 FROM run_steps WHERE run_id = ?1 AND state = 'started')";
    let mut statement = connection.prepare_cached(sql)?;
    let has_unresolved: bool = statement.query_row([turn.run.as_str()], |row| row.get(0))?;
    if has_unresolved {
        return Err(Fault::refused(format!(
            "a write of run {} was sent, and it is unknown whether it happened",
            turn.run
        )));
    }
    Ok(())
}

/// Returns why this turn may not end the run.
fn turn_over_fault(connection: &Connection, turn: &RunTurn) -> StoreResult<Fault> {
    let sql = "SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?1)";
    let mut statement = connection.prepare_cached(sql)?;
    let exists: bool = statement.query_row([turn.run.as_str()], |row| row.get(0))?;
    Ok(if exists {
        Fault::refused(format!(
            "attempt {} of run {} is over: another process resumed it, or it ended",
            turn.attempt, turn.run
        ))
    } else {
        Fault::not_found(turn.run.as_str())
    })
}
