//! One run of a skill: what is ready leaves, what came back makes more ready, and the first failure ends
//! it.

mod reuse;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use capstan_core::code::TraceId;
use capstan_core::port::{Answer, Failure};
use capstan_core::run::Resumption;
use capstan_core::{ChainRequest, ErrorCode, ResultError};
use capstan_exec::{CancelFlag, Progress, Schemas, Watch};
use capstan_skill::{Leaf, Node, NodeKind, Plan, Runs};

use self::reuse::{Cached, Key};
use super::SkillRunner;
use super::contract;
use super::journal::Journal;
use super::launch::{Job, LaunchedStep};
use super::outcome::{FailedStep, failed};
use super::retry;
use super::under_way::{Event, UnderWay};
use super::values::{Values, projected};
use crate::capability::Asker;
use crate::recorder::{CallContext, NewCall};
use crate::step_result::StepResult;

impl SkillRunner<'_> {
    /// Runs a skill, and answers like a route. The input is valid.
    pub(crate) async fn run_skill(
        &self,
        plan: &Plan,
        input: &Map<String, Value>,
        deadline: Instant,
        options: RunOptions<'_>,
        within: CallContext<'_>,
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
        // Where nothing is on the disk, nobody will resume anything.
        let (journal, warning) = match begun {
            Ok(journal) => (journal, None),
            Err(error) => (
                None,
                Some(format!("this run was not written down: {error}")),
            ),
        };
        let halt = CancelFlag::with_parent(within.halt);
        let within = CallContext {
            halt: Some(&halt),
            turn: journal.as_ref().map(Journal::turn).or(within.turn),
            asker: within.asker.max(Asker::of_skill(plan.is_found)),
            ..within
        };
        let mut run = Run::new(*self, plan, input, deadline, within);
        run.journal = journal.as_ref();
        run.watch = options.watch;
        let mut result = match run.conduct().await {
            Ok(()) => Ok(Answer {
                warnings: warning.iter().cloned().collect(),
                ..Answer::of(run.output())
            }),
            Err(end) => Err(failed(plan, &run.states, end, journal.as_ref(), within)),
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

/// How a run is seen from outside.
#[derive(Clone, Default)]
pub(crate) struct RunOptions<'a> {
    /// Under which it is written down.
    pub(crate) id: Option<TraceId>,
    pub(crate) resume: Option<&'a Resumption>,
    /// Who hears how far it is.
    pub(crate) watch: Option<Watch<'a>>,
}

/// How far a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeState {
    Waiting,
    UnderWay,
    Done,
    Skipped,
}

struct Run<'a> {
    runner: SkillRunner<'a>,
    plan: &'a Plan,
    deadline: Instant,
    within: CallContext<'a>,
    states: Vec<NodeState>,
    values: Values,
    /// By composite: its number in the trace.
    calls: Vec<Option<u32>>,
    /// By node: how often it was tried.
    tries: Vec<u32>,
    /// What may serve again: the result, or who waits for it.
    cache: HashMap<Key, Cached>,
    /// By node: under what its result is kept.
    keys: Vec<Option<Key>>,
    journal: Option<&'a Journal<'a>>,
    watch: Option<Watch<'a>>,
    /// What broke its word.
    wrong: Option<FailedStep>,
}

impl<'a> Run<'a> {
    fn new(
        runner: SkillRunner<'a>,
        plan: &'a Plan,
        input: &Map<String, Value>,
        deadline: Instant,
        within: CallContext<'a>,
    ) -> Self {
        let schema = plan.scopes.first().and_then(|scope| scope.input.as_deref());
        let input = projected(Value::Object(input.clone()), schema);
        let mut calls = vec![None; plan.scopes.len()];
        if let Some(first) = calls.first_mut() {
            *first = within.call;
        }
        Self {
            runner,
            plan,
            deadline,
            within,
            states: vec![NodeState::Waiting; plan.nodes.len()],
            values: Values::new(plan, input),
            calls,
            tries: vec![0; plan.nodes.len()],
            cache: HashMap::new(),
            keys: vec![None; plan.nodes.len()],
            journal: None,
            watch: None,
            wrong: None,
        }
    }

    fn schemas(&self) -> &'a Schemas {
        self.runner.code.shared.schemas()
    }

    async fn conduct(&mut self) -> Result<(), FailedStep> {
        let mut under_way = UnderWay::default();
        loop {
            let jobs = self.ready();
            if let Some(end) = self.wrong.take() {
                return self.stop(under_way, end).await;
            }
            for job in jobs {
                under_way.launch(self.runner, job);
            }
            self.tell();
            let over = match under_way.next().await {
                Some(Event::Over(over)) => over,
                Some(Event::Due(job)) => {
                    under_way.launch(self.runner, *job);
                    continue;
                }
                None => return self.all_over(),
            };
            let mut end = None;
            for (node, result) in over {
                match self.over(node, result) {
                    Ok(()) => {}
                    Err(Again::In(pause, job)) => under_way.wait(self.runner, pause, job),
                    Err(Again::Never(ended)) => end = end.or(Some(*ended)),
                }
            }
            if let Some(end) = end {
                return self.stop(under_way, end).await;
            }
        }
    }

    /// The end is decided.
    async fn stop(&mut self, under_way: UnderWay<'a>, end: FailedStep) -> Result<(), FailedStep> {
        if let Some(halt) = self.within.halt {
            halt.set();
        }
        for over in under_way.stop().await {
            self.note(over);
        }
        Err(end)
    }

    /// Holds a value to what was promised of it. The first that breaks its word ends the run.
    fn hold(&mut self, node: usize, kept: Result<(), Failure>) {
        if let (Err(failure), None) = (kept, &self.wrong) {
            self.wrong = Some(FailedStep { node, failure });
        }
    }

    /// Nothing is under way any more, so nothing may be left.
    fn all_over(&self) -> Result<(), FailedStep> {
        let is_left = |state: &NodeState| matches!(state, NodeState::Waiting | NodeState::UnderWay);
        match self.states.iter().position(is_left) {
            None => Ok(()),
            Some(node) => {
                let error = ResultError::new(ErrorCode::Unknown, "it was never run");
                let failure = Failure::not_sent(error);
                Err(FailedStep { node, failure })
            }
        }
    }

    /// Everything that can leave now. What takes no time is done on the way.
    fn ready(&mut self) -> Vec<Job<'a>> {
        let mut cards = (Vec::new(), Vec::new());
        let mut jobs = Vec::new();
        // Nodes stand after those that they wait for, so once through is enough.
        for index in 0..self.plan.nodes.len() {
            let Some(input) = self.begins(index) else {
                continue;
            };
            let node = &self.plan.nodes[index];
            match &node.kind {
                NodeKind::Begin(scope) => self.begin(index, *scope, input),
                NodeKind::End(scope) => self.end(index, *scope),
                NodeKind::Run(leaf) => {
                    if self.was_done_before(index, leaf, &input)
                        || self.is_known_already(index, leaf, &input)
                    {
                        continue;
                    }
                    let kept = contract::check_input(self.schemas(), leaf, &input);
                    self.hold(index, kept);
                    self.states[index] = NodeState::UnderWay;
                    let step = self.step(index, leaf, input);
                    match (step.goes_with_others(), leaf.writes()) {
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

    /// The input of a node that is to begin now; nothing if it has to wait, or will never begin.
    fn begins(&mut self, index: usize) -> Option<Map<String, Value>> {
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
            .is_some_and(|it| it.known(&node.path).is_some());
        let holds = match &node.condition {
            // What was done is done, whatever would be decided now.
            _ if is_done => true,
            _ if node.needs.iter().any(is_skipped) => false,
            Some(condition) => self.values.holds(node.scope, condition),
            None => true,
        };
        if !holds {
            self.states[index] = NodeState::Skipped;
            if let (Some(journal), NodeKind::Run(_)) = (self.journal, &node.kind) {
                journal.skipped(&node.path);
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
            self.values.make(node.scope, &node.inputs)
        }
    }

    fn begin(&mut self, index: usize, scope: usize, input: Map<String, Value>) {
        let plan = &self.plan.scopes[scope];
        let input = projected(Value::Object(input), plan.input.as_deref());
        let kept = contract::check(self.schemas(), plan.input.as_ref(), &input, "takes");
        self.hold(index, kept);
        let recorder = self.within.recorder;
        let node = &self.plan.nodes[index];
        let around = CallContext {
            call: self.calls[node.scope],
            ..self.within
        };
        let call = recorder.open(&NewCall {
            step: Some(&node.path),
            ..NewCall::new(&plan.skill, &input, around)
        });
        self.calls[scope] = Some(call);
        self.values.begin(scope, input);
        self.states[index] = NodeState::Done;
    }

    fn end(&mut self, index: usize, scope: usize) {
        let output = self.output_of(scope);
        let promised = self.plan.scopes[scope].output.as_ref();
        let kept = contract::check(self.schemas(), promised, &output, "gives");
        self.hold(index, kept);
        if let Some(call) = self.calls[scope] {
            self.within.recorder.close(call, Ok(&output));
        }
        let node = &self.plan.nodes[index];
        self.values.give(node.scope, &node.name, output);
        self.states[index] = NodeState::Done;
    }

    fn step(
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
            call: self.calls[self.plan.nodes[index].scope],
        }
    }

    fn job(&self, steps: Vec<LaunchedStep<'a>>) -> Job<'a> {
        Job {
            writes: steps.iter().any(|step| step.leaf.writes()),
            steps,
            within: self.within,
            deadline: self.deadline,
            journal: self.journal,
        }
    }

    fn tell(&self) {
        let Some(watch) = self.watch else {
            return;
        };
        let mut progress = Progress::default();
        for (index, node, _) in self.plan.leaves() {
            progress.total += 1;
            match self.states[index] {
                NodeState::Done | NodeState::Skipped => progress.finished += 1,
                NodeState::UnderWay => progress.doing.push(node.path.clone()),
                NodeState::Waiting => {}
            }
        }
        watch(progress);
    }

    /// A step came back.
    fn over(&mut self, index: usize, result: StepResult) -> Result<(), Again<'a>> {
        let plan: &'a Plan = self.plan;
        let NodeKind::Run(leaf) = &plan.nodes[index].kind else {
            return Ok(());
        };
        let failure = match result.result {
            Ok(data) => {
                self.done(index, data);
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
                let step = self.step(index, leaf, input);
                Err(Again::In(pause, Box::new(self.job(vec![step]))))
            }
            None => Err(Again::Never(Box::new(FailedStep {
                node: index,
                failure,
            }))),
        }
    }

    /// What came back after the end was decided.
    fn note(&mut self, (node, result): (usize, StepResult)) {
        if result.is_ok() {
            self.states[node] = NodeState::Done;
        }
    }

    fn done(&mut self, index: usize, output: Value) {
        if let Some(key) = self.keys[index].take() {
            let expected = self.cache.insert(key, Cached::There(output.clone()));
            self.give_to_all(expected, &output);
        }
        self.give(index, output);
    }

    fn give(&mut self, index: usize, output: Value) {
        let node = &self.plan.nodes[index];
        self.values.give(node.scope, &node.name, output);
        self.states[index] = NodeState::Done;
    }

    fn output_of(&self, scope: usize) -> Value {
        let plan = &self.plan.scopes[scope];
        let mut made = self.values.make(scope, &plan.outputs);
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

/// Code in a skill that does not say what it takes, and to which nothing is given, takes whatever its composite takes.
fn takes_whole_input(node: &Node) -> bool {
    let NodeKind::Run(leaf) = &node.kind else {
        return false;
    };
    matches!(leaf.runs, Runs::Code(_)) && leaf.input.is_none() && node.inputs.is_empty()
}

enum Again<'a> {
    In(Duration, Box<Job<'a>>),
    Never(Box<FailedStep>),
}
