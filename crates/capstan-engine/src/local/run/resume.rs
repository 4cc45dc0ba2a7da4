//! `run.resume`: resumes a run of a skill. Finished steps are not repeated.
//!
//! The journal is read and evaluated outside of the store. The take-over names the revision of the journal that was
//! read. If anything was journaled since, the store refuses the take-over, and the journal is read again. So the
//! decision is always based on the journal at the time of the take-over, and the transaction stays short enough for
//! every kind of store.

use serde_json::{Map, Value, json};

use capstan_core::card::Operation;
use capstan_core::run::{Presence, Resumption, RunEnd, RunState, RunTurn, SkillRun};
use capstan_core::{ErrorCode, Options, ResultError, TaskRequest};
use capstan_exec::{ChainSpec, with_defaults};
use capstan_skill::Plan;

use super::found::{named, with_id};
use super::refusal::{conflict, invalid, process};
use super::step_outcomes::{Decisions, StepOutcomes, step_outcomes};
use crate::capability::{Implementation, check_policy};
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::{input, view};
use crate::plans::skill_card;
use crate::recorder::CallContext;
use crate::skill::input_hash;

pub(in crate::local) const ACTION: Action = Action {
    id: "run.resume",
    description: "Resume a run of a skill that failed or crashed; finished steps are not repeated",
    operation: Operation::Write,
    input: || {
        let properties = json!({
            "run": {"type": "string", "description": "the id of a run, its beginning, or last"},
            "done": {
                "type": "object",
                "description": "steps of unknown outcome that were done, each with its output",
            },
            "redo": {
                "type": "array",
                "items": {"type": "string"},
                "description": "steps of unknown outcome that were not done",
            },
            "input": {
                "type": "object",
                "description": "the input of the skill, if it had secrets and was not kept",
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

/// How often the journal is read at most. A running process needs longer to write one entry than this process needs
/// to read the journal and take the run over.
const MOST_READS: u32 = 100;

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let mut found = named(&work).await?;
    let plan = work
        .engine
        .plans
        .skill_to_run(&found.skill, work.context.deadline)
        .await?;
    let fingerprint = work.engine.plans.fingerprint(&plan).await;
    let policy = &work.engine.shared.settings.policy;
    check_policy(policy, &skill_card(&plan), &Implementation::Card)?;
    for _ in 0..MOST_READS {
        check_state(&found, &fingerprint)?;
        let may_take_over = input::flag(work.input, "take_over").unwrap_or(false);
        check_owner(&found, may_take_over)?;
        let input = input_of(&work, &found, &plan)?;
        let decisions = Decisions::from_input(work.input);
        let StepOutcomes { done, decided } =
            step_outcomes(&found, &plan, decisions, work.engine.shared, work.now())?;
        let seen = RunTurn {
            run: found.id.clone(),
            attempt: found.attempt,
        };
        let taken = work
            .store
            .take_over_run(work.viewer(), &seen, found.revision, decided, work.now())
            .await
            .map_err(|error| conflict(error.to_string()))?;
        if let Some(turn) = taken {
            return resume_and_end(&work, &found.skill, input, Resumption { turn, done }).await;
        }
        // By its id, because `last` may mean another run by now.
        found = with_id(&work, &found.id.to_string()).await?;
    }
    Err(conflict(format!(
        "run {} changes too fast to be taken over: try again later",
        found.id
    ))
    .into())
}

/// Runs the remaining steps, and ends the turn if the run did not even begin.
async fn resume_and_end(
    work: &Work<'_>,
    skill: &str,
    input: Map<String, Value>,
    resumption: Resumption,
) -> Result<ActionOutput, ActionFailure> {
    let turn = resumption.turn.clone();
    let result = resume_run(work, skill, input, resumption).await;
    if let Err(ActionFailure(failure)) = &result {
        let error = &failure.error;
        // If the run began, its journal has already ended the turn, and this has no effect.
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

/// Runs the remaining steps through a chain like every other run, so that the policy and the schemas apply.
async fn resume_run(
    work: &Work<'_>,
    skill: &str,
    input: Map<String, Value>,
    resumption: Resumption,
) -> Result<ActionOutput, ActionFailure> {
    let action = work.context;
    let left = action
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
        passes_on: true,
        ..ChainSpec::from_task(request)
    };
    let context = CallContext {
        resume: Some(&resumption),
        ..action.call_context
    };
    let watch = action.watch.unwrap_or(&|_| {});
    let outcome = work
        .engine
        .chains
        .run_chain(&chain, None, watch, context)
        .await;
    match outcome.steps.into_iter().next().map(|step| step.result) {
        Some(Ok(data)) => Ok(data.into()),
        Some(Err(failure)) => Err(ActionFailure(failure)),
        None => Err(ResultError::new(ErrorCode::Unknown, "it was never run").into()),
    }
}

/// Refuses a run that succeeded, or whose skill has changed.
fn check_state(run: &SkillRun, fingerprint: &str) -> Result<(), ResultError> {
    if run.state == RunState::Ok {
        let message = format!("run {} succeeded: there is nothing to resume", run.id);
        return Err(conflict(message));
    }
    if run.fingerprint != fingerprint {
        let message = format!(
            "{} has changed since run {} began: the skill, one of its parts, or Capstan itself. \
             Restore the old version, or start a new run",
            run.skill, run.id
        );
        return Err(conflict(message));
    }
    Ok(())
}

/// Refuses a run that another process may still have, unless the caller asks for a take-over. This is courtesy, not
/// safety: the store keeps two processes apart in any case.
fn check_owner(run: &SkillRun, take_over: bool) -> Result<(), ResultError> {
    let owner = run.owner;
    if run.state != RunState::Open || owner.presence == Presence::Gone || take_over {
        return Ok(());
    }
    let process = process(owner);
    let since = view::date(owner.since);
    let message = match owner.presence {
        Presence::Alive => format!(
            "run {} is under way: {process} has had it since {since} (attempt {}). Wait until it \
             ends, or resume with `take_over: true` (`--take-over`)",
            run.id, run.attempt
        ),
        _ => format!(
            "run {} may be under way: {process} has had it since {since} (attempt {}), and it is \
             unknown whether that process still exists. If it is gone, resume with `take_over: \
             true` (`--take-over`)",
            run.id, run.attempt
        ),
    };
    let owner_details = json!({
        "process": owner.process,
        "attempt": run.attempt,
        "since": since,
        "alive": (owner.presence == Presence::Alive).then_some(true),
    });
    Err(conflict(message)
        .with_detail("run", run.id.as_str())
        .with_detail("owner", owner_details))
}

/// Returns the input of the run: the journaled one, or the same given again.
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
                "`input` differs from the input of run {}, with which its finished steps ran: give \
                 the same input",
                run.id
            );
            Err(invalid(message))
        }
        (None, None) => {
            let message = format!(
                "the input of run {} was not kept, because it contains secrets: give it again as \
                 `input`",
                run.id
            );
            Err(invalid(message))
        }
    }
}
