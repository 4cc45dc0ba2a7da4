//! What attempts record about steps. A write is recorded before it is sent and when it is answered,
//! so nothing that may have happened is ever sent again.

use capstan_core::run::{Noted, RunState, RunStep, RunTurn, StepState};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::fault::{Fault, StoreResult};
use crate::json;

// The states in `run_steps`.
const STARTED: &str = "started";
const DONE: &str = "done";
const NOT_DONE: &str = "not_done";
const SKIPPED: &str = "skipped";

pub(crate) fn record_steps(
    connection: &Connection,
    turn: &RunTurn,
    steps: &[RunStep],
) -> StoreResult<Noted> {
    let latest = steps.iter().map(|step| step.at).max();
    let sql = "UPDATE runs SET revision = revision + 1, \
                 updated_at = max(updated_at, coalesce(?1, updated_at)) \
               WHERE id = ?2 AND attempt = ?3 AND state = ?4";
    let open = json::to_word(&RunState::Open)?;
    let params = params![latest, turn.run.as_str(), turn.attempt, open];
    if connection.prepare_cached(sql)?.execute(params)? == 0 {
        return record_late(connection, turn, steps);
    }
    for step in steps {
        match &step.state {
            StepState::Started => record_send(connection, turn, step)?,
            StepState::Done(output) => {
                let output = storable_output(output.as_ref());
                record_send_end(connection, turn, step, true, output.as_deref())?;
                set_step(connection, turn, step, DONE, output.as_deref())?;
            }
            StepState::NotDone => {
                record_send_end(connection, turn, step, false, None)?;
                // Meanwhile an earlier attempt may have learned that its own write happened.
                match output_of_done_send(connection, turn, &step.path)? {
                    Some(output) => set_step(connection, turn, step, DONE, output.as_deref())?,
                    None => set_step(connection, turn, step, NOT_DONE, None)?,
                }
            }
            StepState::Skipped => set_step(connection, turn, step, SKIPPED, None)?,
        }
    }
    Ok(Noted::Kept)
}

/// Records what the caller who takes over a run decided about a step.
pub(super) fn record_decision(
    connection: &Connection,
    turn: &RunTurn,
    step: &RunStep,
) -> StoreResult<()> {
    match &step.state {
        StepState::Done(output) => {
            let output = storable_output(output.as_ref());
            set_step(connection, turn, step, DONE, output.as_deref())
        }
        StepState::NotDone if output_of_done_send(connection, turn, &step.path)?.is_none() => {
            set_step(connection, turn, step, NOT_DONE, None)
        }
        StepState::NotDone | StepState::Started | StepState::Skipped => {
            Err(Fault::refused(format!(
                "step `{}` of run {} can only be marked as done, or as not done if it is not known \
                 to be done",
                step.path, turn.run
            )))
        }
    }
}

/// Records that a write is about to be sent; refuses if it may have happened already.
fn record_send(connection: &Connection, turn: &RunTurn, step: &RunStep) -> StoreResult<()> {
    let sql = "SELECT state FROM run_steps WHERE run_id = ?1 AND path = ?2";
    let known: Option<String> = connection
        .prepare_cached(sql)?
        .query_row(params![turn.run.as_str(), step.path], |row| row.get(0))
        .optional()?;
    let reason = match known.as_deref() {
        Some(DONE) => "is done by now: an earlier attempt sent it",
        Some(STARTED) => "was sent before, and nobody knows whether it happened",
        _ if output_of_done_send(connection, turn, &step.path)?.is_some() => {
            "is done by now: an earlier attempt sent it"
        }
        _ => {
            let sql = "INSERT INTO run_sends (run_id, attempt, path, at) VALUES (?1, ?2, ?3, ?4) \
                       ON CONFLICT (run_id, attempt, path) DO UPDATE \
                       SET done = NULL, output = NULL, at = excluded.at";
            let params = params![turn.run.as_str(), turn.attempt, step.path, step.at];
            connection.prepare_cached(sql)?.execute(params)?;
            return set_step(connection, turn, step, STARTED, None);
        }
    };
    Err(Fault::refused(format!(
        "step `{}` {reason}; resume run {} again",
        step.path, turn.run
    )))
}

/// Records steps of an attempt that lost its turn: only how its own writes ended.
fn record_late(connection: &Connection, turn: &RunTurn, steps: &[RunStep]) -> StoreResult<Noted> {
    let sql = "SELECT state FROM runs WHERE id = ?1";
    let state: Option<String> = connection
        .prepare_cached(sql)?
        .query_row([turn.run.as_str()], |row| row.get(0))
        .optional()?;
    let Some(state) = state else {
        return Err(Fault::not_found(turn.run.as_str()));
    };
    // No values are stored for a run that ended well.
    let keeps_values = state != json::to_word(&RunState::Ok)?;
    let mut ended = false;
    for step in steps {
        let (done, output) = match &step.state {
            StepState::Done(output) if keeps_values => (true, storable_output(output.as_ref())),
            StepState::Done(_) => (true, None),
            StepState::NotDone => (false, None),
            StepState::Started | StepState::Skipped => continue,
        };
        if !record_send_end(connection, turn, step, done, output.as_deref())? {
            continue;
        }
        ended = true;
        if done {
            // An attempt that believes that it was not done would do it again.
            let sql = "UPDATE run_steps SET state = ?1, output = ?2, at = ?3 \
                       WHERE run_id = ?4 AND path = ?5 AND state = ?6";
            connection.prepare_cached(sql)?.execute(params![
                DONE,
                output,
                step.at,
                turn.run.as_str(),
                step.path,
                NOT_DONE
            ])?;
        }
    }
    if ended {
        let sql = "UPDATE runs SET revision = revision + 1 WHERE id = ?1";
        connection
            .prepare_cached(sql)?
            .execute([turn.run.as_str()])?;
    }
    Ok(Noted::TurnOver)
}

/// Records how a write of this attempt ended; returns whether there was one without an end.
fn record_send_end(
    connection: &Connection,
    turn: &RunTurn,
    step: &RunStep,
    done: bool,
    output: Option<&str>,
) -> StoreResult<bool> {
    let sql = "UPDATE run_sends SET done = ?1, output = ?2, at = ?3 \
               WHERE run_id = ?4 AND attempt = ?5 AND path = ?6 AND done IS NULL";
    let ended = connection.prepare_cached(sql)?.execute(params![
        done,
        output,
        step.at,
        turn.run.as_str(),
        turn.attempt,
        step.path
    ])?;
    Ok(ended > 0)
}

/// Returns the output of this step, if any attempt knows that its write happened. The inner `None`
/// means that no output was stored.
fn output_of_done_send(
    connection: &Connection,
    turn: &RunTurn,
    path: &str,
) -> StoreResult<Option<Option<String>>> {
    let sql = "SELECT output FROM run_sends WHERE run_id = ?1 AND path = ?2 AND done = 1 \
               ORDER BY attempt LIMIT 1";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row(params![turn.run.as_str(), path], |row| row.get(0));
    Ok(found.optional()?)
}

fn set_step(
    connection: &Connection,
    turn: &RunTurn,
    step: &RunStep,
    state: &str,
    output: Option<&str>,
) -> StoreResult<()> {
    let sql = "INSERT INTO run_steps (run_id, path, state, output, at) VALUES (?1, ?2, ?3, ?4, ?5) \
               ON CONFLICT (run_id, path) DO UPDATE \
               SET state = excluded.state, output = excluded.output, at = excluded.at \
               WHERE NOT (run_steps.state = 'done' AND excluded.state = 'skipped')";
    let params = params![turn.run.as_str(), step.path, state, output, step.at];
    connection.prepare_cached(sql)?.execute(params)?;
    Ok(())
}

/// Writes an output; `None` if it is too deep to be read again. That the step was done is still
/// recorded.
fn storable_output(output: Option<&serde_json::Value>) -> Option<String> {
    output.and_then(|output| json::write_shallow(output, "outputs").ok())
}
