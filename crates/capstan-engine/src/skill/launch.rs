//! Steps that leave together, and what comes back.

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
use crate::code::failure;
use crate::recorder::{CallContext, NewCall};
use crate::step_result::StepResult;

/// One step that is to be run now.
pub(super) struct LaunchedStep<'a> {
    pub(super) node: usize,
    pub(super) path: &'a str,
    pub(super) leaf: &'a Leaf,
    pub(super) input: Map<String, Value>,
    /// The call of which it is a part.
    pub(super) call: Option<u32>,
}

/// Steps that leave together.
pub(super) struct Job<'a> {
    pub(super) steps: Vec<LaunchedStep<'a>>,
    pub(super) writes: bool,
    pub(super) within: CallContext<'a>,
    pub(super) deadline: Instant,
    pub(super) journal: Option<&'a Journal<'a>>,
}

/// What is left of a step when it is on its way: its node, its path, and what it runs.
type Described<'a> = (usize, &'a str, &'a Leaf);

impl<'a> LaunchedStep<'a> {
    fn described(&self) -> Described<'a> {
        (self.node, self.path, self.leaf)
    }

    /// Cards leave in one request; the others have a way of their own, and a time of their own.
    pub(super) fn goes_with_others(&self) -> bool {
        matches!(self.leaf.runs, Runs::Card(_)) && self.leaf.timeout.is_none()
    }
}

/// Runs them, and writes it down. By node: what came back.
pub(super) async fn launch(runner: SkillRunner<'_>, job: Job<'_>) -> Vec<(usize, StepResult)> {
    let steps: Vec<_> = job.steps.iter().map(LaunchedStep::described).collect();
    let Some(journal) = job.journal else {
        return checked(runner, &steps, send(runner, job).await);
    };
    if let Err(failure) = journal.leaving(&job.steps).await {
        let refused = StepResult::failure(failure, ResultMeta::default());
        return steps
            .iter()
            .map(|(node, ..)| (*node, refused.clone()))
            .collect();
    }
    let came = checked(runner, &steps, send(runner, job).await);
    let noted = steps.iter().zip(&came);
    let noted: Vec<_> = noted
        .map(|((_, path, leaf), (_, result))| (*path, *leaf, result))
        .collect();
    match journal.over(&noted).await {
        Ok(()) => came,
        Err(failure) => came
            .into_iter()
            .map(|(node, result)| (node, stopped(result, &failure)))
            .collect(),
    }
}

/// What came back, reduced to what was promised and held to it.
fn checked(
    runner: SkillRunner<'_>,
    steps: &[Described<'_>],
    came: Vec<(usize, StepResult)>,
) -> Vec<(usize, StepResult)> {
    let check = |((_, _, leaf), (node, came)): (&Described<'_>, (usize, StepResult))| {
        let StepResult { result, meta } = came;
        let result = result.and_then(|data| {
            let output = projected(data, leaf.output.as_deref());
            contract::check_output(runner.code.shared.schemas(), leaf, &output)?;
            Ok(output)
        });
        (node, StepResult { result, meta })
    };
    steps.iter().zip(came).map(check).collect()
}

/// Of a step of a run that somebody else has by now: it ends here, whatever it came to.
fn stopped(result: StepResult, failure: &Failure) -> StepResult {
    if !result.is_ok() {
        return result;
    }
    let failure = Failure {
        outcome: Outcome::Applied,
        ..failure.clone()
    };
    StepResult::failure(failure, result.meta)
}

async fn send(runner: SkillRunner<'_>, job: Job<'_>) -> Vec<(usize, StepResult)> {
    let Job {
        steps,
        within,
        deadline,
        ..
    } = job;
    if let [step] = steps.as_slice()
        && let Runs::Code(code) = &step.leaf.runs
    {
        let result = inline(runner, step, code, deadline, within).await;
        return vec![(step.node, result)];
    }
    let nodes: Vec<_> = steps.iter().map(|step| step.node).collect();
    // Several steps leave together only if all of them are cards.
    let only = steps.first().and_then(|step| only(&step.leaf.runs));
    let own = steps.iter().filter_map(|step| step.leaf.timeout).min();
    let left = left(runner, deadline, own);
    // Attempts would multiply: what the author of a skill repeats, the engine below does not.
    let sent_once = steps
        .iter()
        .enumerate()
        .filter(|(_, step)| step.leaf.retry.is_some())
        .map(|(index, _)| index)
        .collect();
    // What may be tried again has not failed yet.
    let fail_fast = steps.iter().all(|step| step.leaf.retry.is_none());
    // Parts of several composites are told as parts of what holds them all.
    let first = steps.first().map(|step| step.call);
    let shared = first.filter(|call| steps.iter().all(|step| step.call == *call));
    let within = CallContext {
        call: shared.unwrap_or(within.call),
        ..within
    };
    let chain = ChainSpec {
        steps: steps.into_iter().map(request).collect(),
        timeout_ms: Some(left),
        verbatim: true,
        independent: true,
        fail_fast,
        sent_once,
        ..ChainSpec::default()
    };
    let outcome = runner
        .code
        .chains
        .run_chain(&chain, only, &|_| {}, within)
        .await;
    for result in &outcome.steps {
        within.recorder.record_warnings(&result.meta.warnings);
    }
    nodes.into_iter().zip(outcome.steps).collect()
}

/// What a step runs is of the kind that its skill says, whatever else has the name.
fn only(runs: &Runs) -> Option<OnlyKind> {
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
        // It is run elsewhere.
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

/// In milliseconds, at least one.
fn left(runner: SkillRunner<'_>, deadline: Instant, own: Option<Duration>) -> u64 {
    let left = deadline.saturating_duration_since(runner.code.shared.clock.now());
    let left = own.map_or(left, |own| own.min(left));
    u64::try_from(left.as_millis()).unwrap_or(u64::MAX).max(1)
}

/// Code that stands in the skill: run like any other, and not remembered.
async fn inline(
    runner: SkillRunner<'_>,
    step: &LaunchedStep<'_>,
    code: &str,
    deadline: Instant,
    within: CallContext<'_>,
) -> StepResult {
    let recorder = within.recorder;
    let input = Value::Object(step.input.clone());
    let around = CallContext {
        call: step.call,
        ..within
    };
    let call = recorder.open(&NewCall::new(step.path, &input, around));
    // What says that it changes nothing is tried again, and done again by who resumes the run.
    let within = CallContext {
        call: Some(call),
        reads_only: within.reads_only || !step.leaf.writes(),
        ..within
    };
    let deadline = match step.leaf.timeout {
        Some(own) => deadline.min(runner.code.shared.clock.now() + own),
        None => deadline,
    };
    let result = match run_inline(runner, step, code, deadline, within).await {
        Ok(data) => StepResult::success(data, ResultMeta::default()),
        Err(failure) => StepResult::failure(failure, ResultMeta::default()),
    };
    recorder.close(call, result.result.as_ref());
    result
}

async fn run_inline(
    runner: SkillRunner<'_>,
    step: &LaunchedStep<'_>,
    code: &str,
    deadline: Instant,
    within: CallContext<'_>,
) -> Result<Value, Failure> {
    check_direct_code(&runner.code.shared.settings.policy)?;
    let sandbox = runner.code.shared.sandbox()?;
    let script = sandbox.read(code).await.map_err(failure)?;
    let ran = runner
        .code
        .run_script(sandbox, &script, &step.input, deadline, within);
    let ran = ran.await;
    within.recorder.console(ran.console, ran.console_cut);
    ran.result
}
