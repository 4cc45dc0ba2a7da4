//! `run.resume`: goes on where a run of a skill stopped. What is done is not done again.
//!
//! The journal is read, and what follows from it is decided, outside of the store. The take-over names
//! the revision of the journal that was read, and the store refuses it if anything was recorded since:
//! then the journal is read again. So the decision always holds for the journal as of the take-over, and
//! the transaction stays short enough for every kind of store.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use capstan_core::card::Operation;
use capstan_core::code::Timestamp;
use capstan_core::run::{
    Presence, Resumption, RunEnd, RunOwner, RunSend, RunState, RunStep, RunTurn, SkillRun,
    StepState,
};
use capstan_core::{ErrorCode, Options, ResultError, TaskRequest};
use capstan_exec::masked::has_no_secrets;
use capstan_exec::{ChainSpec, with_defaults};
use capstan_skill::{Leaf, Plan};

use super::found::{named, with_id};
use crate::capability::{Implementation, check_policy};
use crate::local::action::{Action, Done, NotDone, Work};
use crate::local::{input, view};
use crate::plans::skill_card;
use crate::recorder::CallContext;
use crate::shared::Shared;
use crate::skill::{input_hash, projected};

pub(in crate::local) const ACTION: Action = Action {
    id: "run.resume",
    description: "Go on with a run of a skill that failed or crashed; what is done is not repeated",
    operation: Operation::Write,
    input: || {
        let properties = json!({
            "run": {"type": "string", "description": "the id of a run, its beginning, or last"},
            "done": {
                "type": "object",
                "description": "steps of unknown outcome that were done, each with what it gave",
            },
            "redo": {
                "type": "array",
                "items": {"type": "string"},
                "description": "steps of unknown outcome that were not done",
            },
            "input": {
                "type": "object",
                "description": "the input of the skill, where it had secrets and was not kept",
            },
            "take_over": {
                "type": "boolean",
                "description": "take the run from a process that still has it",
            },
        });
        (properties, &["run"])
    },
    example: || json!({"run": "01jcx5m2k7"}),
    intents: &[
        "resume a run",
        "continue a crashed workflow",
        "go on where the skill stopped",
        "retry the failed step of a skill",
        "finish an interrupted run",
        "pick the skill up where it broke off",
        "restart a stopped skill run",
        "carry on after the crash",
    ],
    run: |work| Box::pin(run(work)),
};

/// How often the journal is read at most. Whoever writes it needs longer for one note than it takes to
/// read it and take it over.
const MOST_LOOKS: u32 = 100;

async fn run(work: Work<'_>) -> Result<Done, NotDone> {
    let mut found = named(&work).await?;
    let plan = work
        .engine
        .plans
        .skill_to_run(&found.skill, work.around.deadline)
        .await?;
    let fingerprint = work.engine.plans.fingerprint(&plan).await;
    let policy = &work.engine.shared.settings.policy;
    check_policy(policy, &skill_card(&plan), &Implementation::Card)?;
    for _ in 0..MOST_LOOKS {
        check_state(&found, &fingerprint)?;
        let may_take_over = input::flag(work.input, "take_over").unwrap_or(false);
        check_owner(&found, may_take_over)?;
        let input = input_of(&work, &found, &plan)?;
        let decided = Decided::read(work.input);
        let Known { done, noted } = known(&found, &plan, decided, work.engine.shared, work.now())?;
        let seen = RunTurn {
            run: found.id.clone(),
            attempt: found.attempt,
        };
        let taken = work
            .store
            .take_over_run(work.viewer(), &seen, found.revision, noted, work.now())
            .await
            .map_err(|error| conflict(error.to_string()))?;
        if let Some(turn) = taken {
            return go_on_with(&work, &found.skill, input, Resumption { turn, done }).await;
        }
        // By its id: which run is the last may have changed.
        found = with_id(&work, &found.id.to_string()).await?;
    }
    Err(conflict(format!(
        "run {} changes faster than it can be taken over: try again when it is quieter",
        found.id
    ))
    .into())
}

/// Runs what is left, and ends the turn where nobody else does.
async fn go_on_with(
    work: &Work<'_>,
    skill: &str,
    input: Map<String, Value>,
    resumption: Resumption,
) -> Result<Done, NotDone> {
    let turn = resumption.turn.clone();
    let result = go_on(work, skill, input, resumption).await;
    if let Err(NotDone(failure)) = &result {
        let error = &failure.error;
        // Where it did not even begin, nobody else ends the turn. Else this comes too late.
        let end = RunEnd {
            error: Some(
                work.engine
                    .shared
                    .redactor
                    .text(&error.message)
                    .into_owned(),
            ),
            at: work.now(),
        };
        let _ = work.store.end_run(&turn, end).await;
    }
    result
}

/// Through the same door as every run: the policy and the schemas hold now, too.
async fn go_on(
    work: &Work<'_>,
    skill: &str,
    input: Map<String, Value>,
    resumption: Resumption,
) -> Result<Done, NotDone> {
    let around = work.around;
    let left = around
        .deadline
        .saturating_duration_since(work.engine.shared.clock.now());
    let request = TaskRequest {
        capability: skill.to_owned(),
        input,
        options: Options {
            full: true,
            ..Options::default()
        },
        intent: None,
    };
    let chain = ChainSpec {
        timeout_ms: u64::try_from(left.as_millis()).ok(),
        ..ChainSpec::from_task(request)
    };
    let within = CallContext {
        resume: Some(&resumption),
        ..around.within
    };
    let watch = around.watch.unwrap_or(&|_| {});
    let outcome = work
        .engine
        .chains
        .run_chain(&chain, None, watch, within)
        .await;
    match outcome.steps.into_iter().next().map(|step| step.result) {
        Some(Ok(data)) => Ok(data.into()),
        Some(Err(failure)) => Err(NotDone(failure)),
        None => Err(ResultError::new(ErrorCode::Unknown, "it was never run").into()),
    }
}

fn check_state(run: &SkillRun, fingerprint: &str) -> Result<(), ResultError> {
    if run.state == RunState::Ok {
        let message = format!("run {} ended well: there is nothing to resume", run.id);
        return Err(conflict(message));
    }
    if run.fingerprint != fingerprint {
        let message = format!(
            "{} is not what it was when run {} began: it, something that it is made of, or \
             Capstan itself was changed. Bring it back as it was, or run it anew",
            run.skill, run.id
        );
        return Err(conflict(message));
    }
    Ok(())
}

/// A run that a process still has is taken from it only where that is asked for. This is courtesy, not
/// safety: the store would keep the two apart.
fn check_owner(run: &SkillRun, take_over: bool) -> Result<(), ResultError> {
    let owner = run.owner;
    if run.state != RunState::Open || owner.presence == Presence::Gone || take_over {
        return Ok(());
    }
    let process = process(owner);
    let since = view::date(owner.since);
    let message = match owner.presence {
        Presence::Alive => format!(
            "run {} is under way: {process} has it since {since} (attempt {}). Wait for its end, or \
             take it from there by resuming with `take_over: true` (`--take-over`)",
            run.id, run.attempt
        ),
        _ => format!(
            "run {} may be under way: {process} has it since {since} (attempt {}), and whether that \
             process is still there cannot be seen from here. If it is gone, resume with \
             `take_over: true` (`--take-over`)",
            run.id, run.attempt
        ),
    };
    let told = json!({
        "process": owner.process,
        "attempt": run.attempt,
        "since": since,
        "alive": (owner.presence == Presence::Alive).then_some(true),
    });
    Err(conflict(message)
        .with_detail("run", run.id.as_str())
        .with_detail("owner", told))
}

fn process(owner: RunOwner) -> String {
    owner
        .process
        .map_or("a process".to_owned(), |it| format!("process {it}"))
}

fn input_of(
    work: &Work<'_>,
    run: &SkillRun,
    plan: &Plan,
) -> Result<Map<String, Value>, ResultError> {
    let given = work.input.get("input").cloned();
    let given = given.map(|given| with_defaults(&skill_card(plan), given));
    match (given, &run.input) {
        (None, Some(kept)) => Ok(kept.clone()),
        (Some(Value::Object(given)), _) if input_hash(given.clone().into()) == run.input_hash => {
            Ok(given)
        }
        (Some(_), _) => {
            let message = format!(
                "`input` is not that of run {}: what is done was done with another one",
                run.id
            );
            Err(invalid(message))
        }
        (None, None) => {
            let message = format!(
                "the input of run {} was not kept, because there are secrets in it: give it again, \
                 as `input`",
                run.id
            );
            Err(invalid(message))
        }
    }
}

/// What somebody who looked says about steps of which nobody else knows.
struct Decided {
    done: Map<String, Value>,
    redo: Vec<String>,
}

impl Decided {
    fn read(input: &Map<String, Value>) -> Self {
        let done = input.get("done").and_then(Value::as_object);
        let redo = input.get("redo").and_then(Value::as_array);
        let redo = redo.into_iter().flatten().filter_map(Value::as_str);
        Self {
            done: done.cloned().unwrap_or_default(),
            redo: redo.map(str::to_owned).collect(),
        }
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let redo = self.redo.iter().map(String::as_str);
        self.done.keys().map(String::as_str).chain(redo)
    }
}

struct Known {
    /// What every step that is done gave.
    done: HashMap<String, Value>,
    /// What somebody said, to be remembered.
    noted: Vec<RunStep>,
}

/// An error as long as nobody knows what became of a step.
fn known(
    run: &SkillRun,
    plan: &Plan,
    decided: Decided,
    shared: &Shared,
    at: Timestamp,
) -> Result<Known, ResultError> {
    let leaf = |path: &str| {
        let mut leaves = plan.leaves();
        leaves.find_map(|(_, node, leaf)| (node.path == path).then_some(leaf))
    };
    let mut done = HashMap::new();
    let mut doubtful = Vec::new();
    for step in &run.steps {
        match &step.state {
            StepState::Done(Some(gave)) => {
                done.insert(step.path.clone(), gave.clone());
            }
            // Whether it is wanted is found out again.
            StepState::NotDone | StepState::Skipped => {}
            // What only reads is read again.
            StepState::Done(None) | StepState::Started => {
                if leaf(&step.path).is_some_and(Leaf::writes) {
                    doubtful.push((step.path.as_str(), &step.state));
                }
            }
        }
    }
    check_nothing_is_in_flight(run, &doubtful)?;
    let is_doubtful = |path: &str| doubtful.iter().any(|(it, _)| *it == path);
    if let Some(path) = decided.names().find(|path| !is_doubtful(path)) {
        let open: Vec<_> = doubtful.iter().map(|(path, _)| *path).collect();
        let message = match open.as_slice() {
            [] => format!("`{path}`: it is known of every step what became of it"),
            open => format!(
                "`{path}` is no step of unknown outcome: expected one of {}",
                open.join(", ")
            ),
        };
        return Err(invalid(message));
    }
    let is_done = |path: &str| {
        let by_an_attempt = |send: &RunSend| send.path == path && send.done == Some(true);
        let gave_nothing =
            |(it, state): &(&str, &StepState)| *it == path && matches!(state, StepState::Done(_));
        run.sends.iter().any(by_an_attempt) || doubtful.iter().any(gave_nothing)
    };
    if let Some(path) = decided.redo.iter().find(|path| is_done(path)) {
        let message =
            format!("`{path}` was done, so it is not done again: say what it gave, as `done`");
        return Err(invalid(message));
    }
    let undecided = |(path, _): &&(&str, &StepState)| !decided.names().any(|it| it == *path);
    let open: Vec<_> = doubtful.iter().filter(undecided).collect();
    if !open.is_empty() {
        return Err(unknown(run, &open));
    }
    let mut noted = Vec::new();
    for (path, gave) in decided.done {
        if decided.redo.contains(&path) {
            return Err(invalid(format!("`{path}` is both `done` and to `redo`")));
        }
        let gave = match leaf(&path) {
            Some(leaf) => output(shared, &path, leaf, gave)?,
            None => gave,
        };
        // What may not be kept is asked for again.
        let kept = has_no_secrets(&shared.redactor, &gave);
        let state = StepState::Done(kept.then(|| gave.clone()));
        noted.push(RunStep {
            path: path.clone(),
            state,
            at,
        });
        done.insert(path, gave);
    }
    let redo = decided.redo.into_iter().map(|path| RunStep {
        path,
        state: StepState::NotDone,
        at,
    });
    noted.extend(redo);
    Ok(Known { done, noted })
}

/// What a process is sending right now may end either way: nobody can say yet what became of it.
fn check_nothing_is_in_flight(
    run: &SkillRun,
    doubtful: &[(&str, &StepState)],
) -> Result<(), ResultError> {
    if run.state != RunState::Open || run.owner.presence != Presence::Alive {
        return Ok(());
    }
    let sent = |(_, state): &&(&str, &StepState)| **state == StepState::Started;
    let names: Vec<_> = doubtful
        .iter()
        .filter(sent)
        .map(|(path, _)| *path)
        .collect();
    if names.is_empty() {
        return Ok(());
    }
    let message = format!(
        "run {} cannot be taken over at this moment: {} has sent `{}` and waits for the answer. Try \
         again when it is there, or end that process first",
        run.id,
        process(run.owner),
        names.join("`, `")
    );
    Err(conflict(message).with_detail("in_flight", json!(names)))
}

/// What a step gave, as far as it says what it gives: others rely on it.
fn output(shared: &Shared, path: &str, leaf: &Leaf, gave: Value) -> Result<Value, ResultError> {
    let gave = projected(gave, leaf.output.as_deref());
    let Some(why) = leaf
        .output
        .as_ref()
        .and_then(|schema| shared.schemas().misfit(schema, &gave))
    else {
        return Ok(gave);
    };
    let message = format!("`done.{path}` is not what this step gives: {why}");
    Err(invalid(message))
}

fn unknown(run: &SkillRun, open: &[&(&str, &StepState)]) -> ResultError {
    let told: Vec<_> = open
        .iter()
        .map(|(path, state)| match state {
            StepState::Done(_) => format!("`{path}` was done, but what it gave was not kept"),
            _ => format!("`{path}` left, and nobody knows whether it was done"),
        })
        .collect();
    let names: Vec<_> = open.iter().map(|(path, _)| *path).collect();
    let message = format!(
        "run {} cannot go on by itself: {}. Look, then resume it with `done` (what it gave) or \
         `redo` (it was not done)",
        run.id,
        told.join("; ")
    );
    conflict(message).with_detail("unknown", json!(names))
}

fn conflict(message: String) -> ResultError {
    ResultError::new(ErrorCode::Conflict, message)
}

fn invalid(message: String) -> ResultError {
    ResultError::new(ErrorCode::Validation, message)
}
