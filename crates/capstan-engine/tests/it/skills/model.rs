//! A simple model of skills to compare the engine with: it runs steps one after the other, each when it is needed.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::bind::{BoundComposite, BoundStep, bind, step_of};
use super::compose::{Condition, Sample, Target, ValueOrigin};
use super::leaves::LEAVES;

/// A call of a leaf.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Call {
    pub(super) leaf: &'static str,
    /// The path from the top, such as `s2/s1`; `None` for calls that cannot be identified.
    pub(super) path: Option<String>,
    /// The input as JSON, with sorted fields.
    pub(super) input: String,
}

impl Call {
    pub(super) fn new(leaf: &'static str, input: &Map<String, Value>) -> Self {
        let sorted: BTreeMap<_, _> = input.iter().collect();
        let text = |name: &str| input.get(name).and_then(Value::as_str);
        let path = text("tag").map(|tag| match text("outer") {
            Some(outer) => format!("{outer}/{tag}"),
            None => tag.to_owned(),
        });
        Self {
            leaf,
            path,
            input: json!(sorted).to_string(),
        }
    }
}

/// How a step ended.
#[derive(Clone, Debug)]
enum StepEnd {
    Gave(Map<String, Value>),
    Skipped,
    /// It failed, or it waits for a step that failed.
    Stuck,
}

/// The expected result of a run.
#[derive(Debug, Default)]
pub(super) struct Expected {
    /// `None` if the run fails.
    pub(super) output: Option<Map<String, Value>>,
    /// All calls, if none is cancelled.
    pub(super) calls: Vec<Call>,
    /// Pairs of paths: the first must finish before the second begins.
    pub(super) order: BTreeSet<(String, String)>,
}

/// All composites of a sample.
pub(super) struct Model(Vec<BoundComposite>);

impl Model {
    pub(super) fn from_sample(sample: &Sample) -> Self {
        let mut bound = Vec::new();
        for composite in &sample.composites {
            bound.push(bind(composite, &bound));
        }
        Self(bound)
    }

    /// Returns the level of each leaf by its path: how many steps must finish before it, one after the other.
    pub(super) fn levels(&self) -> BTreeMap<String, usize> {
        let mut levels = BTreeMap::new();
        if let Some(whole) = self.0.last() {
            self.levels_in(whole, "", 0, &mut levels);
        }
        levels
    }

    /// Adds the levels of a composite. Returns the level at which it has finished.
    fn levels_in(
        &self,
        bound: &BoundComposite,
        above: &str,
        start: usize,
        levels: &mut BTreeMap<String, usize>,
    ) -> usize {
        let mut ends: BTreeMap<usize, usize> = BTreeMap::new();
        while ends.len() < bound.steps.len() {
            for step in &bound.steps {
                let is_due = step.after.iter().all(|it| ends.contains_key(it));
                if ends.contains_key(&step.step) || !is_due {
                    continue;
                }
                let begins = step.after.iter().map(|it| ends[it]).fold(start, usize::max);
                let path = format!("{above}{}", step.name);
                let end = match step.target {
                    Target::Leaf(_) => {
                        levels.insert(path, begins);
                        begins + 1
                    }
                    Target::Composite(index) => {
                        self.levels_in(&self.0[index], &format!("{path}/"), begins, levels)
                    }
                };
                ends.insert(step.step, end);
            }
        }
        ends.into_values().fold(start, usize::max)
    }

    /// Runs the workflow. The leaves with the paths `failing` fail.
    pub(super) fn run(&self, input: &Map<String, Value>, failing: &BTreeSet<String>) -> Expected {
        let mut run = ModelRun {
            model: self,
            failing,
            expected: Expected::default(),
            cache: BTreeSet::new(),
        };
        if let Some(whole) = self.0.last() {
            let (end, _) = run.composite(whole, input.clone(), "");
            if let StepEnd::Gave(output) = end {
                run.expected.output = Some(output);
            }
        }
        run.expected
    }
}

struct ModelRun<'a> {
    model: &'a Model,
    failing: &'a BTreeSet<String>,
    expected: Expected,
    /// Calls whose results are reused.
    cache: BTreeSet<Call>,
}

/// By step: how it ended, and the paths of the leaves in it.
type Ends = BTreeMap<usize, (StepEnd, Vec<String>)>;

impl ModelRun<'_> {
    fn composite(
        &mut self,
        bound: &BoundComposite,
        mut input: Map<String, Value>,
        above: &str,
    ) -> (StepEnd, Vec<String>) {
        input.retain(|name, _| bound.inputs.iter().any(|(known, _)| known == name));
        let mut ends = Ends::new();
        for step in &bound.steps {
            self.step(bound, step, &input, above, &mut ends);
        }
        for step in &bound.steps {
            for before in &step.after {
                for first in &ends[before].1 {
                    let second = ends[&step.step].1.iter();
                    let pairs = second.map(|second| (first.clone(), second.clone()));
                    self.expected.order.extend(pairs);
                }
            }
        }
        let end = if ends.values().any(|(end, _)| matches!(end, StepEnd::Stuck)) {
            StepEnd::Stuck
        } else {
            let fields = bound
                .outputs
                .iter()
                .filter_map(|(name, source)| Some((name.clone(), value(source, &input, &ends)?)));
            StepEnd::Gave(fields.collect())
        };
        let paths = ends.into_values().flat_map(|(_, paths)| paths);
        (end, paths.collect())
    }

    /// Runs the steps that a step waits for, and then the step itself.
    fn step(
        &mut self,
        bound: &BoundComposite,
        step: &BoundStep,
        input: &Map<String, Value>,
        above: &str,
        ends: &mut Ends,
    ) {
        if ends.contains_key(&step.step) {
            return;
        }
        for before in &step.after {
            let before = bound.steps.iter().find(|it| it.step == *before).unwrap();
            self.step(bound, before, input, above, ends);
        }
        let end = self.run_step(step, input, above, ends);
        ends.insert(step.step, end);
    }

    fn run_step(
        &mut self,
        step: &BoundStep,
        input: &Map<String, Value>,
        above: &str,
        ends: &Ends,
    ) -> (StepEnd, Vec<String>) {
        let is_stuck = |before: &usize| matches!(ends[before].0, StepEnd::Stuck);
        if step.after.iter().any(is_stuck) {
            return (StepEnd::Stuck, Vec::new());
        }
        let is_skipped = |step: usize| matches!(ends[&step].0, StepEnd::Skipped);
        let required = step.inputs.iter().filter(|(_, required, _)| *required);
        let mut needs = required.filter_map(|(_, _, source)| step_of(source));
        let holds = match &step.condition {
            _ if needs.any(is_skipped) => false,
            Some(Condition::AtLeast(asked, number)) => {
                let source = ValueOrigin::Output(*asked, "n".to_owned());
                let given = value(&source, input, ends).and_then(|it| it.as_u64());
                given.is_some_and(|given| given >= *number)
            }
            Some(Condition::Gives(asked, field)) => {
                let source = ValueOrigin::Output(*asked, field.clone());
                value(&source, input, ends).is_some()
            }
            Some(Condition::Flag(flag)) => input.get("flag") == Some(&json!(flag)),
            None => true,
        };
        if !holds {
            return (StepEnd::Skipped, Vec::new());
        }
        let given = step
            .inputs
            .iter()
            .filter_map(|(name, _, source)| Some((name.clone(), value(source, input, ends)?)));
        let given: Map<String, Value> = given.collect();
        match step.target {
            Target::Composite(index) => {
                let model = self.model;
                let above = format!("{above}{}/", step.name);
                self.composite(&model.0[index], given, &above)
            }
            Target::Leaf(leaf) => self.leaf(leaf, &given),
        }
    }

    fn leaf(&mut self, leaf: usize, given: &Map<String, Value>) -> (StepEnd, Vec<String>) {
        let leaf = &LEAVES[leaf];
        let call = Call::new(leaf.id, given);
        let paths: Vec<String> = call.path.iter().cloned().collect();
        if leaf.is_tagged() || self.cache.insert(call.clone()) {
            self.expected.calls.push(call);
        }
        if paths.iter().any(|path| self.failing.contains(path)) {
            (StepEnd::Stuck, paths)
        } else {
            (StepEnd::Gave(leaf.give(given)), paths)
        }
    }
}

fn value(source: &ValueOrigin, input: &Map<String, Value>, ends: &Ends) -> Option<Value> {
    match source {
        ValueOrigin::Literal(text) => Some(json!(text.replace("$$", "$"))),
        ValueOrigin::Input(name) => input.get(name).cloned(),
        ValueOrigin::Output(step, field) => match &ends.get(step)?.0 {
            StepEnd::Gave(output) => output.get(field).cloned(),
            StepEnd::Skipped | StepEnd::Stuck => None,
        },
    }
}
