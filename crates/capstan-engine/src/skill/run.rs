//! One run of a skill: sends the steps that are ready, and those that become ready by their results. The first
//! failure ends the run.

mod reuse;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use capstan_core::card::without_secrets;
use capstan_core::code::TraceId;
use capstan_core::port::{Answer, Failure};
use capstan_core::run::Resumption;
use capstan_core::{ChainRequest, ErrorCode, ResultError};
use capstan_exec::{CancelFlag, Progress, Schemas, Watch};
use capstan_skill::{Leaf, Node, NodeKind, Plan, Runs};

use self::reuse::{CacheEntry, CacheKey};
use super::SkillRunner;
use super::contract;
use super::journal::Journal;
use super::launch::{Job, LaunchedStep};
use super::outcome::{FailedStep, run_failure};
use super::pending::{PendingWork, WorkEvent};
use super::retry;
use super::values::{Values, projected};
use crate::capability::Asker;
use crate::recorder::{CallContext, CallOutput, NewCall};
use crate::step_result::StepResult;

impl SkillRunner<'_> {
    /// Runs a skill, and returns an answer like that of a route. The input must be valid.
    pub(crate) async fn run_skill(
        &self,
        plan: &Plan,
        input: &Map<String, Value>,
        deadline: Instant,
        options: RunOptions<'_>,
        context: CallContext<'_>,
    ) -> Result<Answer, Failure> {
        let deadline = match plan.timeout {
            Some(timeout) => deadline.min(self.code.shared.clock.now() + timeout),
            None => deadline,
        };
        let begun = match (options.resume, options.id) {
            (Some(resumption), _) => Ok(Journal::resume(self.code.shared, resumption)),
            (None, Some(id)) => Journal::begin(*self, plan, input, id).await,
            (None, None) => Ok(None),
        };
        // Without a journal the run can still work; it just cannot be resumed.
        let (journal, warning) = match begun {
            Ok(journal) => (journal, None),
            Err(error) => (None, Some(format!("this run was not recorded: {error}"))),
        };
        let stop = CancelFlag::with_parent(context.stop);
        let context = CallContext {
            stop: Some(&stop),
            turn: journal.as_ref().map(Journal::turn).or(context.turn),
            asker: context.asker.max(Asker::for_skill(plan.is_from_folder)),
            ..context
        };
        let mut run = PlanRun::new(*self, plan, input, deadline, context);
        run.journal = journal.as_ref();
        run.watch = options.watch;
        let mut result = match run.conduct().await {
            Ok(()) => Ok(Answer {
                warnings: warning.iter().cloned().collect(),
                ..Answer::of(run.output())
            }),
            Err(end) => Err(run_failure(
                plan,
                &run.states,
                end,
                journal.as_ref(),
                context,
            )),
        };
        drop(run);
        if let (Err(failure), Some(warning)) = (&mut result, warning) {
            failure.error.message = format!("{} ({warning})", failure.error.message);
        }
        if let Some(journal) = journal {
            let error = result.as_ref().err().map(|failure| &failure.error);
            journal.end(error).await;
        }
        result
    }
}

/// The options of a run.
#[derive(Clone, Default)]
pub(crate) struct RunOptions<'a> {
    /// The id under which the run is journaled; `None` for no journal.
    pub(crate) id: Option<TraceId>,
    /// The earlier run to resume.
    pub(crate) resume: Option<&'a Resumption>,
    /// Receives the progress.
    pub(crate) watch: Option<Watch<'a>>,
}

/// The state of a node of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeState {
    Waiting,
    Running,
    Done,
    Skipped,
}

/// A run of a plan.
struct PlanRun<'a> {
    runner: SkillRunner<'a>,
    plan: &'a Plan,
    deadline: Instant,
    context: CallContext<'a>,
    states: Vec<NodeState>,
    values: Values,
    /// The numbers of composites in the trace, by scope.
    calls: Vec<Option<u32>>,
    /// The numbers of attempts, by node.
    tries: Vec<u32>,
    /// Results that can be reused in this run.
    cache: HashMap<CacheKey, CacheEntry>,
    /// The cache keys of the running nodes, by node.
    keys: Vec<Option<CacheKey>>,
    journal: Option<&'a Journal<'a>>,
    watch: Option<Watch<'a>>,
    /// The first value that did not fit its schema.
    violation: Option<FailedStep>,
}

impl<'a> PlanRun<'a> {
    fn new(
        runner: SkillRunner<'a>,
        plan: &'a Plan,
        input: &Map<String, Value>,
        deadline: Instant,
        context: CallContext<'a>,
    ) -> Self {
        let schema = plan.scopes.first().and_then(|scope| scope.input.as_deref());
        let input = projected(Value::Object(input.clone()), schema);
        let mut calls = vec![None; plan.scopes.len()];
        if let Some(first) = calls.first_mut() {
            *first = context.parent;
        }
        Self {
            runner,
            plan,
            deadline,
            context,
            states: vec![NodeState::Waiting; plan.nodes.len()],
            values: Values::new(plan, input),
            calls,
            tries: vec![0; plan.nodes.len()],
            cache: HashMap::new(),
            keys: vec![None; plan.nodes.len()],
            journal: None,
            watch: None,
            violation: None,
        }
    }

    fn schemas(&self) -> &'a Schemas {
        self.runner.code.shared.schemas()
    }

    /// Runs all steps until the end or the first failure.
    async fn conduct(&mut self) -> Result<(), FailedStep> {
        let mut pending = PendingWork::default();
        loop {
            let jobs = self.ready_jobs();
            if let Some(end) = self.violation.take() {
                return self.stop(pending, end).await;
            }
            for job in jobs {
                pending.launch(self.runner, job);
            }
            self.report_progress();
            let over = match pending.next().await {
                Some(WorkEvent::Finished(over)) => over,
                Some(WorkEvent::RetryDue(job)) => {
                    pending.launch(self.runner, *job);
                    continue;
                }
                None => return self.check_all_finished(),
            };
            let mut end = None;
            for (node, result) in over {
                match self.finish_step(node, result) {
                    Ok(()) => {}
                    Err(AfterFailure::Retry(pause, job)) => pending.wait(self.runner, pause, job),
                    Err(AfterFailure::Stop(ended)) => end = end.or(Some(*ended)),
                }
            }
            if let Some(end) = end {
                return self.stop(pending, end).await;
            }
        }
    }

    /// Ends the run after a failure: begins nothing more, and waits for the writes under way.
    async fn stop(&mut self, pending: PendingWork<'a>, end: FailedStep) -> Result<(), FailedStep> {
        if let Some(stop) = self.context.stop {
            stop.set();
        }
        for over in pending.stop().await {
            self.mark_late_result(over);
        }
        Err(end)
    }

    /// Records a failed check of a value against its schema. The first one ends the run.
    fn record_violation(&mut self, node: usize, checked: Result<(), Failure>) {
        if let (Err(failure), None) = (checked, &self.violation) {
            self.violation = Some(FailedStep { node, failure });
        }
    }

    /// Checks that all nodes have finished, when nothing is pending any more.
    fn check_all_finished(&self) -> Result<(), FailedStep> {
        let is_left = |state: &NodeState| matches!(state, NodeState::Waiting | NodeState::Running);
        match self.states.iter().position(is_left) {
            None => Ok(()),
            Some(node) => {
                let error = ResultError::new(ErrorCode::Unknown, "it was never run");
                let failure = Failure::not_sent(error);
                Err(FailedStep { node, failure })
            }
        }
    }

    /// Returns the jobs that can be sent now. Begins and ends composites on the way, which takes no time.
    fn ready_jobs(&mut self) -> Vec<Job<'a>> {
        let mut cards = (Vec::new(), Vec::new());
        let mut jobs = Vec::new();
        // Nodes come after the nodes that they wait for, so one pass is enough.
        for index in 0..self.plan.nodes.len() {
            let Some(input) = self.input_if_ready(index) else {
                continue;
            };
            let node = &self.plan.nodes[index];
            match &node.kind {
                NodeKind::Begin(scope) => self.begin_composite(index, *scope, input),
                NodeKind::End(scope) => self.end_composite(index, *scope),
                NodeKind::Run(leaf) => {
                    if self.reuse_journaled(index, leaf, &input)
                        || self.reuse_cached(index, leaf, &input)
                    {
                        continue;
                    }
                    let checked = contract::check_input(self.schemas(), leaf, &input);
                    self.record_violation(index, checked);
                    self.states[index] = NodeState::Running;
                    let step = self.launched_step(index, leaf, input);
                    match (step.can_share_request(), leaf.writes()) {
                        (true, true) => cards.1.push(step),
                        (true, false) => cards.0.push(step),
                        (false, _) => jobs.push(self.job(vec![step])),
                    }
                }
            }
        }
        for mut steps in [cards.0, cards.1] {
            while !steps.is_empty() {
                let most = steps.len().min(ChainRequest::MOST_STEPS);
                let rest = steps.split_off(most);
                jobs.push(self.job(std::mem::replace(&mut steps, rest)));
            }
        }
        jobs
    }

    /// Returns the input of a node if it can begin now; `None` if it must wait, has begun, or is skipped. Marks
    /// skipped nodes.
    fn input_if_ready(&mut self, index: usize) -> Option<Map<String, Value>> {
        if self.states[index] != NodeState::Waiting {
            return None;
        }
        let node = &self.plan.nodes[index];
        let is_over = |it: &usize| matches!(self.states[*it], NodeState::Done | NodeState::Skipped);
        if !node.after.iter().all(is_over) {
            return None;
        }
        let is_skipped = |it: &usize| self.states[*it] == NodeState::Skipped;
        let is_done = self
            .journal
            .is_some_and(|it| it.earlier_output(&node.path).is_some());
        let holds = match &node.condition {
            // A step that an earlier attempt finished counts, whatever its condition gives now.
            _ if is_done => true,
            _ if node.needs.iter().any(is_skipped) => false,
            Some(condition) => self.values.holds(node.scope, condition),
            None => true,
        };
        if !holds {
            self.states[index] = NodeState::Skipped;
            if let (Some(journal), NodeKind::Run(_)) = (self.journal, &node.kind) {
                journal.record_skipped(&node.path);
            }
            return None;
        }
        Some(self.input_of(index))
    }

    fn input_of(&self, index: usize) -> Map<String, Value> {
        let node = &self.plan.nodes[index];
        if self.plan.is_atomic() || takes_whole_input(node) {
            self.values.input(node.scope)
        } else {
            self.values.evaluate(node.scope, &node.inputs)
        }
    }

    /// Begins a composite: checks and sets its input.
    fn begin_composite(&mut self, index: usize, scope: usize, input: Map<String, Value>) {
        let plan = &self.plan.scopes[scope];
        let input = projected(Value::Object(input), plan.input.as_deref());
        let checked = contract::check(self.schemas(), plan.input.as_ref(), &input, "input");
        self.record_violation(index, checked);
        let recorder = self.context.recorder;
        let node = &self.plan.nodes[index];
        let context = CallContext {
            parent: self.calls[node.scope],
            ..self.context
        };
        let schema = plan.input.as_deref().unwrap_or(&Value::Null);
        let call = recorder.open(&NewCall {
            step: Some(&node.path),
            ..NewCall::new(&plan.skill, &without_secrets(schema, &input), context)
        });
        self.calls[scope] = Some(call);
        self.values.set_input(scope, input);
        self.states[index] = NodeState::Done;
    }

    /// Ends a composite: computes and checks its output.
    fn end_composite(&mut self, index: usize, scope: usize) {
        let output = self.output_of(scope);
        let promised = self.plan.scopes[scope].output.as_ref();
        let checked = contract::check(self.schemas(), promised, &output, "output");
        self.record_violation(index, checked);
        if let Some(call) = self.calls[scope] {
            let output = CallOutput::unmasked(&output);
            self.context.recorder.close(call, Ok(output));
        }
        let node = &self.plan.nodes[index];
        self.values.set_output(node.scope, &node.name, output);
        self.states[index] = NodeState::Done;
    }

    /// Returns a step to send, and counts the attempt.
    fn launched_step(
        &mut self,
        index: usize,
        leaf: &'a Leaf,
        input: Map<String, Value>,
    ) -> LaunchedStep<'a> {
        self.tries[index] += 1;
        LaunchedStep {
            node: index,
            path: &self.plan.nodes[index].path,
            leaf,
            input,
            parent: self.calls[self.plan.nodes[index].scope],
        }
    }

    fn job(&self, steps: Vec<LaunchedStep<'a>>) -> Job<'a> {
        Job {
            writes: steps.iter().any(|step| step.leaf.writes()),
            steps,
            context: self.context,
            deadline: self.deadline,
            journal: self.journal,
        }
    }

    fn report_progress(&self) {
        let Some(watch) = self.watch else {
            return;
        };
        let mut progress = Progress::default();
        for (index, node, _) in self.plan.leaves() {
            progress.total += 1;
            match self.states[index] {
                NodeState::Done | NodeState::Skipped => progress.finished += 1,
                NodeState::Running => progress.doing.push(node.path.clone()),
                NodeState::Waiting => {}
            }
        }
        watch(progress);
    }

    /// Handles the result of a step. The error says how to continue after a failure.
    fn finish_step(&mut self, index: usize, result: StepResult) -> Result<(), AfterFailure<'a>> {
        let plan: &'a Plan = self.plan;
        let NodeKind::Run(leaf) = &plan.nodes[index].kind else {
            return Ok(());
        };
        let failure = match result.result {
            Ok(data) => {
                self.record_output(index, data);
                return Ok(());
            }
            Err(failure) => failure,
        };
        let left = self
            .deadline
            .saturating_duration_since(self.runner.code.shared.clock.now());
        match retry::pause(leaf, &failure, self.tries[index]).filter(|pause| *pause < left) {
            Some(pause) => {
                let input = self.input_of(index);
                let step = self.launched_step(index, leaf, input);
                Err(AfterFailure::Retry(pause, Box::new(self.job(vec![step]))))
            }
            None => Err(AfterFailure::Stop(Box::new(FailedStep {
                node: index,
                failure,
            }))),
        }
    }

    /// Marks a step as done whose result came after the end of the run was decided.
    fn mark_late_result(&mut self, (node, result): (usize, StepResult)) {
        if result.is_ok() {
            self.states[node] = NodeState::Done;
        }
    }

    /// Sets the output of a step, and of all steps that wait for the same result.
    fn record_output(&mut self, index: usize, output: Value) {
        if let Some(key) = self.keys[index].take() {
            let expected = self.cache.insert(key, CacheEntry::Ready(output.clone()));
            self.serve_waiting(expected, &output);
        }
        self.set_output(index, output);
    }

    fn set_output(&mut self, index: usize, output: Value) {
        let node = &self.plan.nodes[index];
        self.values.set_output(node.scope, &node.name, output);
        self.states[index] = NodeState::Done;
    }

    fn output_of(&self, scope: usize) -> Value {
        let plan = &self.plan.scopes[scope];
        let mut made = self.values.evaluate(scope, &plan.outputs);
        made.extend(self.values.spread(scope, &plan.spread));
        projected(Value::Object(made), plan.output.as_deref())
    }

    fn output(&self) -> Value {
        match (self.plan.is_atomic(), self.plan.nodes.first()) {
            (true, Some(node)) => self.values.output(0, &node.name),
            _ => self.output_of(0),
        }
    }
}

/// Returns whether a node takes the whole input of its composite: inline code that declares no input and is given
/// none.
fn takes_whole_input(node: &Node) -> bool {
    let NodeKind::Run(leaf) = &node.kind else {
        return false;
    };
    matches!(leaf.runs, Runs::Code(_)) && leaf.input.is_none() && node.inputs.is_empty()
}

/// What to do after a failed step.
enum AfterFailure<'a> {
    Retry(Duration, Box<Job<'a>>),
    Stop(Box<FailedStep>),
}
