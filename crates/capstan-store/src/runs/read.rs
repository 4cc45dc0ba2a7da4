//! Reads runs, and deletes old ones.

use capstan_core::code::TraceId;
use capstan_core::port::{RunFilter, Viewer};
use capstan_core::run::{
    Presence, RunOwner, RunSend, RunState, RunStep, RunSummary, SkillRun, StepState,
};
use rusqlite::{Connection, Row, named_params, params};

use crate::fault::StoreResult;
use crate::id_prefix;
use crate::integer::{from_sql_integer, to_sql_integer};
use crate::json;
use crate::process::OwnProcess;

/// Returns the run with this id, or the only one whose id begins with it.
pub(crate) fn get(
    connection: &Connection,
    viewer: &Viewer,
    id: &str,
    process: &OwnProcess,
) -> StoreResult<Option<SkillRun>> {
    let sql = format!(
        "SELECT {SUMMARY}, r.fingerprint, r.input, r.input_hash, r.revision FROM runs r \
         WHERE r.org = ?1 AND r.project = ?2 AND r.owner = ?3 \
           AND r.id >= ?4 AND r.id < ?5 ORDER BY r.id LIMIT 2"
    );
    let read = |row: &Row<'_>| read(connection, row, process);
    id_prefix::find_by_prefix(connection, &sql, (viewer, id), "runs", read)
}

/// Returns the matching runs, newest first.
pub(crate) fn list(
    connection: &Connection,
    viewer: &Viewer,
    filter: &RunFilter,
    process: &OwnProcess,
) -> StoreResult<Vec<RunSummary>> {
    let sql = format!(
        "SELECT {SUMMARY} FROM runs r \
         WHERE r.org = :org AND r.project = :project AND r.owner = :owner \
           AND (:skill IS NULL OR r.skill = :skill \
                OR substr(r.skill, 1, length(:skill) + 1) = :skill || '@') \
           AND (:state IS NULL OR r.state = :state) \
           AND (:before IS NULL OR r.id < :before) \
         ORDER BY r.id DESC LIMIT :limit"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(named_params! {
        ":org": viewer.scope.org,
        ":project": viewer.scope.project,
        ":owner": viewer.user,
        ":skill": filter.skill,
        ":state": filter.state.as_ref().map(json::to_word).transpose()?,
        ":before": filter.before.as_ref().map(TraceId::as_str),
        ":limit": filter.limit.map_or(-1, to_sql_integer),
    })?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read_summary(row, process)?);
    }
    Ok(found)
}

/// Deletes runs that have ended and are not among the newest `keep`.
pub(crate) fn prune(connection: &Connection, viewer: &Viewer, keep: u64) -> StoreResult<()> {
    let sql = "DELETE FROM runs WHERE state <> ?4 AND id IN \
               (SELECT id FROM runs WHERE org = ?1 AND project = ?2 AND owner = ?3 \
                ORDER BY id DESC LIMIT -1 OFFSET ?5)";
    let Viewer { scope, user } = viewer;
    let open = json::to_word(&RunState::Open)?;
    let params = params![scope.org, scope.project, user, open, to_sql_integer(keep)];
    connection.prepare_cached(sql)?.execute(params)?;
    Ok(())
}

const SUMMARY: &str = "r.id, r.skill, r.state, r.error, r.total, r.attempt, r.started_at, r.updated_at, \
    (SELECT count(*) FROM run_steps s WHERE s.run_id = r.id AND s.state IN ('done', 'skipped')), \
    r.process, r.process_lock, coalesce(r.taken_at, r.started_at)";

fn read_summary(row: &Row<'_>, process: &OwnProcess) -> StoreResult<RunSummary> {
    let state: RunState = json::from_word(&row.get::<_, String>(2)?)?;
    let lock: Option<String> = row.get(10)?;
    let presence = match state {
        RunState::Open => process.presence(lock.as_deref()),
        // An ended run has no owner.
        RunState::Ok | RunState::Failed => Presence::Gone,
    };
    Ok(RunSummary {
        owner: RunOwner {
            process: row.get(9)?,
            since: row.get(11)?,
            presence,
        },
        id: TraceId::kept(row.get::<_, String>(0)?),
        skill: row.get(1)?,
        state,
        error: row.get(3)?,
        total: from_sql_integer(row.get(4)?),
        attempt: row.get(5)?,
        started_at: row.get(6)?,
        updated_at: row.get(7)?,
        done: from_sql_integer(row.get(8)?),
    })
}

fn read(connection: &Connection, row: &Row<'_>, process: &OwnProcess) -> StoreResult<SkillRun> {
    let summary = read_summary(row, process)?;
    let input: Option<String> = row.get(13)?;
    let input = input.map(|text| json::read(&text, "the input of a run"));
    Ok(SkillRun {
        steps: read_steps(connection, &summary.id)?,
        sends: read_sends(connection, &summary.id)?,
        id: summary.id,
        skill: summary.skill,
        fingerprint: row.get(12)?,
        input: input.transpose()?,
        input_hash: row.get(14)?,
        total: summary.total,
        attempt: summary.attempt,
        revision: from_sql_integer(row.get(15)?),
        owner: summary.owner,
        state: summary.state,
        error: summary.error,
        started_at: summary.started_at,
        updated_at: summary.updated_at,
    })
}

fn read_steps(connection: &Connection, run: &TraceId) -> StoreResult<Vec<RunStep>> {
    let sql = "SELECT path, state, output, at FROM run_steps WHERE run_id = ?1 ORDER BY rowid";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([run.as_str()])?;
    let mut steps = Vec::new();
    while let Some(row) = rows.next()? {
        let output: Option<String> = row.get(2)?;
        let output = output.map(|text| json::read(&text, "what a step of a run gave"));
        let state = match row.get::<_, String>(1)?.as_str() {
            "done" => StepState::Done(output.transpose()?),
            "not_done" => StepState::NotDone,
            "skipped" => StepState::Skipped,
            _ => StepState::Started,
        };
        steps.push(RunStep {
            path: row.get(0)?,
            state,
            at: row.get(3)?,
        });
    }
    Ok(steps)
}

fn read_sends(connection: &Connection, run: &TraceId) -> StoreResult<Vec<RunSend>> {
    let sql = "SELECT path, attempt, done, at FROM run_sends WHERE run_id = ?1 \
               ORDER BY attempt, rowid";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([run.as_str()])?;
    let mut sends = Vec::new();
    while let Some(row) = rows.next()? {
        sends.push(RunSend {
            path: row.get(0)?,
            attempt: row.get(1)?,
            done: row.get(2)?,
            at: row.get(3)?,
        });
    }
    Ok(sends)
}
