//! Sends steps together, and collects their results.

use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use capstan_core::port::Failure;
use capstan_core::{ChainStep, Options, Outcome, ResultMeta, TaskRequest};
use capstan_exec::ChainSpec;
use capstan_skill::{Leaf, Runs};

use super::SkillRunner;
use super::contract;
use super::journal::Journal;
use super::values::projected;
use crate::capability::{OnlyKind, check_direct_code};
use crate::code::script_error;
use crate::recorder::{CallContext, NewCall};
use crate::step_result::StepResult;

/// A step that is about to be sent.
pub(super) struct LaunchedStep<'a> {
    pub(super) node: usize,
    pub(super) path: &'a str,
    pub(super) leaf: &'a Leaf,
    pub(super) input: Map<String, Value>,
    /// The number of the composite's call in the trace.
    pub(super) parent: Option<u32>,
}

/// Steps that are sent together.
pub(super) struct Job<'a> {
    pub(super) steps: Vec<LaunchedStep<'a>>,
    pub(super) writes: bool,
    pub(super) context: CallContext<'a>,
    pub(super) deadline: Instant,
    pub(super) journal: Option<&'a Journal<'a>>,
}

/// The facts about a step that are still needed after it was sent: its node, its path, and what it runs.
type StepInfo<'a> = (usize, &'a str, &'a Leaf);

impl<'a> LaunchedStep<'a> {
    fn info(&self) -> StepInfo<'a> {
        (self.node, self.path, self.leaf)
    }

    /// Returns whether the step can share a request with others: a card without a time limit of its own.
    pub(super) fn can_share_request(&self) -> bool {
        matches!(self.leaf.runs, Runs::Card(_)) && self.leaf.timeout.is_none()
    }
}

/// Runs a job and journals it. Returns the results by node.
pub(super) async fn launch(runner: SkillRunner<'_>, job: Job<'_>) -> Vec<(usize, StepResult)> {
    let steps: Vec<_> = job.steps.iter().map(LaunchedStep::info).collect();
    let Some(journal) = job.journal else {
        return checked(runner, &steps, send(runner, job).await);
    };
    if let Err(failure) = journal.record_sent(&job.steps).await {
        let refused = StepResult::failure(failure, ResultMeta::default());
        return steps
            .iter()
            .map(|(node, ..)| (*node, refused.clone()))
            .collect();
    }
    let results = checked(runner, &steps, send(runner, job).await);
    let answers: Vec<_> = steps
        .iter()
        .zip(&results)
        .map(|((_, path, leaf), (_, result))| (*path, *leaf, result))
        .collect();
    match journal.record_answers(&answers).await {
        Ok(()) => results,
        Err(failure) => results
            .into_iter()
            .map(|(node, result)| (node, stopped_result(result, &failure)))
            .collect(),
    }
}

/// Reduces the outputs of steps to the fields of their schemas, and checks them.
fn checked(
    runner: SkillRunner<'_>,
    steps: &[StepInfo<'_>],
    results: Vec<(usize, StepResult)>,
) -> Vec<(usize, StepResult)> {
    let check = |((_, _, leaf), (node, result)): (&StepInfo<'_>, (usize, StepResult))| {
        let StepResult { result, meta, .. } = result;
        let result = result.and_then(|data| {
            let output = projected(data, leaf.output.as_deref());
            contract::check_output(runner.code.shared.schemas(), leaf, &output)?;
            Ok(output)
        });
        let result = match result {
            Ok(output) => StepResult::success(output, meta),
            Err(failure) => StepResult::failure(failure, meta),
        };
        (node, result)
    };
    steps.iter().zip(results).map(check).collect()
}

/// Returns the result of a step after the turn was lost: a success becomes this failure, so that the run ends.
fn stopped_result(result: StepResult, failure: &Failure) -> StepResult {
    if !result.is_ok() {
        return result;
    }
    let failure = Failure {
        outcome: Outcome::Applied,
        ..failure.clone()
    };
    StepResult::failure(failure, result.meta)
}

/// Runs the steps of a job as one chain, or inline code in the sandbox.
async fn send(runner: SkillRunner<'_>, job: Job<'_>) -> Vec<(usize, StepResult)> {
    let Job {
        steps,
        context,
        deadline,
        ..
    } = job;
    if let [step] = steps.as_slice()
        && let Runs::Code(code) = &step.leaf.runs
    {
        let result = run_inline_step(runner, step, code, deadline, context).await;
        return vec![(step.node, result)];
    }
    let nodes: Vec<_> = steps.iter().map(|step| step.node).collect();
    // Several steps are sent together only if all of them are cards.
    let only = steps.first().and_then(|step| kind_of(&step.leaf.runs));
    let own = steps.iter().filter_map(|step| step.leaf.timeout).min();
    let left = millis_left(runner, deadline, own);
    // The executor does not repeat what the skill itself retries, or attempts would multiply.
    let sent_once = steps
        .iter()
        .enumerate()
        .filter(|(_, step)| step.leaf.retry.is_some())
        .map(|(index, _)| index)
        .collect();
    // The failure of a step with retries is not final.
    let fail_fast = steps.iter().all(|step| step.leaf.retry.is_none());
    // Steps of different composites are recorded under the whole skill.
    let first = steps.first().map(|step| step.parent);
    let shared = first.filter(|call| steps.iter().all(|step| step.parent == *call));
    let context = CallContext {
        parent: shared.unwrap_or(context.parent),
        ..context
    };
    let chain = ChainSpec {
        steps: steps.into_iter().map(request).collect(),
        timeout_ms: Some(left),
        verbatim: true,
        independent: true,
        fail_fast,
        passes_on: true,
        sent_once,
        ..ChainSpec::default()
    };
    let outcome = runner
        .code
        .chains
        .run_chain(&chain, only, &|_| {}, context)
        .await;
    for result in &outcome.steps {
        context.recorder.record_warnings(&result.meta.warnings);
    }
    nodes.into_iter().zip(outcome.steps).collect()
}

/// Returns the kind of capability that a step must run, even if something else has the same name; `None` for inline
/// code.
fn kind_of(runs: &Runs) -> Option<OnlyKind> {
    match runs {
        Runs::Card(_) => Some(OnlyKind::Card),
        Runs::Tool(_) => Some(OnlyKind::Tool),
        Runs::Capability(_) => Some(OnlyKind::Code),
        Runs::Code(_) => None,
    }
}

fn request(step: LaunchedStep<'_>) -> ChainStep {
    let capability = match &step.leaf.runs {
        Runs::Card(name) | Runs::Tool(name) | Runs::Capability(name) => name.clone(),
        // Inline code is not run through a chain.
        Runs::Code(_) => step.path.to_owned(),
    };
    ChainStep {
        name: Some(step.path.to_owned()),
        request: TaskRequest {
            capability,
            input: step.input,
            options: Options {
                full: true,
                ..Options::default()
            },
            intent: None,
        },
        ..ChainStep::default()
    }
}

/// Returns the milliseconds until the deadline or the step's own limit, at least 1.
fn millis_left(runner: SkillRunner<'_>, deadline: Instant, own: Option<Duration>) -> u64 {
    let left = deadline.saturating_duration_since(runner.code.shared.clock.now());
    let left = own.map_or(left, |own| own.min(left));
    u64::try_from(left.as_millis()).unwrap_or(u64::MAX).max(1)
}

/// Runs a step with inline code. Such code is not remembered.
async fn run_inline_step(
    runner: SkillRunner<'_>,
    step: &LaunchedStep<'_>,
    code: &str,
    deadline: Instant,
    context: CallContext<'_>,
) -> StepResult {
    let recorder = context.recorder;
    let input = Value::Object(step.input.clone());
    let call_context = CallContext {
        parent: step.parent,
        ..context
    };
    let call = recorder.open(&NewCall::new(step.path, &input, call_context));
    // Code that is declared as reading only is retried, and repeated when the run is resumed. So it must not write.
    let context = CallContext {
        parent: Some(call),
        reads_only: context.reads_only || !step.leaf.writes(),
        ..context
    };
    let deadline = match step.leaf.timeout {
        Some(own) => deadline.min(runner.code.shared.clock.now() + own),
        None => deadline,
    };
    let result = match run_inline(runner, step, code, deadline, context).await {
        Ok(data) => StepResult::success(data, ResultMeta::default()),
        Err(failure) => StepResult::failure(failure, ResultMeta::default()),
    };
    recorder.close(call, result.output());
    result
}

async fn run_inline(
    runner: SkillRunner<'_>,
    step: &LaunchedStep<'_>,
    code: &str,
    deadline: Instant,
    context: CallContext<'_>,
) -> Result<Value, Failure> {
    check_direct_code(&runner.code.shared.settings.policy)?;
    let sandbox = runner.code.shared.sandbox()?;
    let script = sandbox.read(code).await.map_err(script_error)?;
    let ran = runner
        .code
        .run_script(sandbox, &script, &step.input, deadline, context);
    let ran = ran.await;
    context
        .recorder
        .record_console(ran.console, ran.console_cut);
    ran.result
}
