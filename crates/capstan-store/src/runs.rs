//! How far runs of skills are. Each is of the one who began it in a scope, and written by whoever took
//! it over last.

use capstan_core::code::{Timestamp, TraceId};
use capstan_core::port::{RunFilter, Viewer};
use capstan_core::run::{
    NewRun, RunEnd, RunState, RunStep, RunSummary, RunTurn, SkillRun, StepState,
};
use rusqlite::{Connection, Row, named_params, params};

use crate::beginning;
use crate::fault::{Fault, Outcome};
use crate::json;
use crate::number::{count, number};

pub(crate) fn begin(connection: &Connection, viewer: &Viewer, run: &NewRun) -> Outcome<()> {
    let sql = "INSERT INTO runs (id, org, project, owner, skill, fingerprint, input, input_hash, total, \
               attempt, state, started_at, updated_at) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 1, ?10, ?11, ?11)";
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
        number(run.total),
        json::word(&RunState::Open)?,
        run.at,
    ])?;
    Ok(())
}

pub(crate) fn note(connection: &Connection, turn: &RunTurn, steps: &[RunStep]) -> Outcome<()> {
    let latest = steps.iter().map(|step| step.at).max();
    let sql = "UPDATE runs SET updated_at = max(updated_at, coalesce(?1, updated_at)) \
               WHERE id = ?2 AND attempt = ?3 AND state = ?4";
    let open = json::word(&RunState::Open)?;
    let params = params![latest, turn.run.as_str(), turn.attempt, open];
    if connection.prepare_cached(sql)?.execute(params)? == 0 {
        return Err(no_turn(connection, turn)?);
    }
    let sql = "INSERT INTO run_steps (run_id, path, state, output, at) VALUES (?1, ?2, ?3, ?4, ?5) \
               ON CONFLICT (run_id, path) DO UPDATE \
               SET state = excluded.state, output = excluded.output, at = excluded.at \
               WHERE NOT (run_steps.state = 'done' AND excluded.state = 'skipped')";
    let mut statement = connection.prepare_cached(sql)?;
    for step in steps {
        let (state, output) = match &step.state {
            StepState::Started => ("started", None),
            StepState::Done(output) => ("done", output.as_ref()),
            StepState::NotDone => ("not_done", None),
            StepState::Skipped => ("skipped", None),
        };
        // What is too deep to be read again is not kept: that it was done is.
        let output = output.and_then(|output| json::write_shallow(output, "outputs").ok());
        statement.execute(params![
            turn.run.as_str(),
            step.path,
            state,
            output,
            step.at
        ])?;
    }
    Ok(())
}

pub(crate) fn end(connection: &Connection, turn: &RunTurn, end: &RunEnd) -> Outcome<()> {
    let state = match &end.error {
        None => RunState::Ok,
        Some(_) => RunState::Failed,
    };
    let sql = "UPDATE runs SET state = ?1, error = ?2, updated_at = max(updated_at, ?3) \
               WHERE id = ?4 AND attempt = ?5 AND state = ?6";
    let ended = connection.prepare_cached(sql)?.execute(params![
        json::word(&state)?,
        end.error,
        end.at,
        turn.run.as_str(),
        turn.attempt,
        json::word(&RunState::Open)?,
    ])?;
    if ended == 0 {
        return Err(no_turn(connection, turn)?);
    }
    if state == RunState::Ok {
        // Nobody will go on from here.
        let sql = "UPDATE run_steps SET output = NULL WHERE run_id = ?1";
        connection
            .prepare_cached(sql)?
            .execute([turn.run.as_str()])?;
        let sql = "UPDATE runs SET input = NULL WHERE id = ?1";
        connection
            .prepare_cached(sql)?
            .execute([turn.run.as_str()])?;
    }
    Ok(())
}

pub(crate) fn take_over(
    connection: &Connection,
    viewer: &Viewer,
    turn: &RunTurn,
    steps: &[RunStep],
    at: Timestamp,
) -> Outcome<RunTurn> {
    let next = turn.attempt.saturating_add(1);
    let sql = "UPDATE runs SET attempt = ?1, state = ?2, error = NULL, updated_at = max(updated_at, ?3) \
               WHERE id = ?4 AND attempt = ?5 AND state <> ?6 \
                 AND org = ?7 AND project = ?8 AND owner = ?9";
    let taken = connection.prepare_cached(sql)?.execute(params![
        next,
        json::word(&RunState::Open)?,
        at,
        turn.run.as_str(),
        turn.attempt,
        json::word(&RunState::Ok)?,
        viewer.scope.org,
        viewer.scope.project,
        viewer.user,
    ])?;
    if taken == 0 {
        return Err(taken_over(turn));
    }
    let turn = RunTurn {
        run: turn.run.clone(),
        attempt: next,
    };
    note(connection, &turn, steps)?;
    Ok(turn)
}

/// By the id, or by the beginning of one.
pub(crate) fn get(connection: &Connection, viewer: &Viewer, id: &str) -> Outcome<Option<SkillRun>> {
    let sql = format!(
        "SELECT {SUMMARY}, r.fingerprint, r.input, r.input_hash FROM runs r \
         WHERE r.org = ?1 AND r.project = ?2 AND r.owner = ?3 \
           AND r.id >= ?4 AND r.id < ?5 ORDER BY r.id LIMIT 2"
    );
    let read = |row: &Row<'_>| read(connection, row);
    beginning::find(connection, &sql, (viewer, id), "runs", read)
}

/// Newest first.
pub(crate) fn list(
    connection: &Connection,
    viewer: &Viewer,
    filter: &RunFilter,
) -> Outcome<Vec<RunSummary>> {
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
        ":state": filter.state.as_ref().map(json::word).transpose()?,
        ":before": filter.before.as_ref().map(TraceId::as_str),
        ":limit": filter.limit.map_or(-1, number),
    })?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read_summary(row)?);
    }
    Ok(found)
}

/// Forgets those that are over and are not among the newest.
pub(crate) fn prune(connection: &Connection, viewer: &Viewer, keep: u64) -> Outcome<()> {
    let sql = "DELETE FROM runs WHERE state <> ?4 AND id IN \
               (SELECT id FROM runs WHERE org = ?1 AND project = ?2 AND owner = ?3 \
                ORDER BY id DESC LIMIT -1 OFFSET ?5)";
    let Viewer { scope, user } = viewer;
    let open = json::word(&RunState::Open)?;
    let params = params![scope.org, scope.project, user, open, number(keep)];
    connection.prepare_cached(sql)?.execute(params)?;
    Ok(())
}

const SUMMARY: &str = "r.id, r.skill, r.state, r.error, r.total, r.attempt, r.started_at, r.updated_at, \
    (SELECT count(*) FROM run_steps s WHERE s.run_id = r.id AND s.state IN ('done', 'skipped'))";

fn read_summary(row: &Row<'_>) -> Outcome<RunSummary> {
    Ok(RunSummary {
        id: TraceId::kept(row.get::<_, String>(0)?),
        skill: row.get(1)?,
        state: json::from_word(&row.get::<_, String>(2)?)?,
        error: row.get(3)?,
        total: count(row.get(4)?),
        attempt: row.get(5)?,
        started_at: row.get(6)?,
        updated_at: row.get(7)?,
        done: count(row.get(8)?),
    })
}

fn read(connection: &Connection, row: &Row<'_>) -> Outcome<SkillRun> {
    let summary = read_summary(row)?;
    let input: Option<String> = row.get(10)?;
    let input = input.map(|text| json::read(&text, "the input of a run"));
    Ok(SkillRun {
        steps: read_steps(connection, &summary.id)?,
        id: summary.id,
        skill: summary.skill,
        fingerprint: row.get(9)?,
        input: input.transpose()?,
        input_hash: row.get(11)?,
        total: summary.total,
        attempt: summary.attempt,
        state: summary.state,
        error: summary.error,
        started_at: summary.started_at,
        updated_at: summary.updated_at,
    })
}

fn read_steps(connection: &Connection, run: &TraceId) -> Outcome<Vec<RunStep>> {
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

/// Why nobody may write with this turn.
fn no_turn(connection: &Connection, turn: &RunTurn) -> Outcome<Fault> {
    let sql = "SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?1)";
    let mut statement = connection.prepare_cached(sql)?;
    match statement.query_row([turn.run.as_str()], |row| row.get(0))? {
        true => Ok(taken_over(turn)),
        false => Ok(Fault::not_found(turn.run.as_str())),
    }
}

fn taken_over(turn: &RunTurn) -> Fault {
    let RunTurn { run, attempt } = turn;
    Fault::refused(format!(
        "run {run} is no longer in its attempt {attempt}: somebody else resumed it, or it is over"
    ))
}
