//! What a skill means, told in the plainest way: steps are run one after the other, each when somebody needs
//! it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::bind::{Bound, BoundStep, bind, step_of};
use super::compose::{Condition, Sample, Source, Target};
use super::leaves::LEAVES;

/// A call of a leaf.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Call {
    pub(super) leaf: &'static str,
    /// From the top: `s2/s1`; nothing for those that cannot be told apart.
    pub(super) path: Option<String>,
    /// As text, sorted.
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

/// What became of a step.
#[derive(Clone, Debug)]
enum End {
    Gave(Map<String, Value>),
    Skipped,
    /// It failed, or it waits for what never ends.
    Stuck,
}

/// What a run comes to.
#[derive(Debug, Default)]
pub(super) struct Expected {
    /// Nothing if it fails.
    pub(super) output: Option<Map<String, Value>>,
    /// Everything that is called if nothing is called off.
    pub(super) calls: Vec<Call>,
    /// Pairs of paths: the first is over before the second begins.
    pub(super) order: BTreeSet<(String, String)>,
}

/// All composites of a sample.
pub(super) struct Model(Vec<Bound>);

impl Model {
    pub(super) fn of(sample: &Sample) -> Self {
        let mut bound = Vec::new();
        for composite in &sample.composites {
            bound.push(bind(composite, &bound));
        }
        Self(bound)
    }

    /// By the path of each leaf: how many must be over before it, one after the other.
    pub(super) fn levels(&self) -> BTreeMap<String, usize> {
        let mut levels = BTreeMap::new();
        if let Some(whole) = self.0.last() {
            self.levels_in(whole, "", 0, &mut levels);
        }
        levels
    }

    /// Gives when the composite is over.
    fn levels_in(
        &self,
        bound: &Bound,
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

    /// Runs the workflow. Those of `failing` fail, by their paths.
    pub(super) fn run(&self, input: &Map<String, Value>, failing: &BTreeSet<String>) -> Expected {
        let mut run = Run {
            model: self,
            failing,
            expected: Expected::default(),
            cache: BTreeSet::new(),
        };
        if let Some(whole) = self.0.last() {
            let (end, _) = run.composite(whole, input.clone(), "");
            if let End::Gave(output) = end {
                run.expected.output = Some(output);
            }
        }
        run.expected
    }
}

struct Run<'a> {
    model: &'a Model,
    failing: &'a BTreeSet<String>,
    expected: Expected,
    /// Calls whose results serve again.
    cache: BTreeSet<Call>,
}

/// By step: what became of it, and the paths of the leaves in it.
type Ends = BTreeMap<usize, (End, Vec<String>)>;

impl Run<'_> {
    fn composite(
        &mut self,
        bound: &Bound,
        mut input: Map<String, Value>,
        above: &str,
    ) -> (End, Vec<String>) {
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
        let end = match ends.values().any(|(end, _)| matches!(end, End::Stuck)) {
            true => End::Stuck,
            false => {
                let fields = bound.outputs.iter().filter_map(|(name, source)| {
                    Some((name.clone(), value(source, &input, &ends)?))
                });
                End::Gave(fields.collect())
            }
        };
        let paths = ends.into_values().flat_map(|(_, paths)| paths);
        (end, paths.collect())
    }

    /// Runs what it waits for, and then the step itself.
    fn step(
        &mut self,
        bound: &Bound,
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
        let end = self.end(step, input, above, ends);
        ends.insert(step.step, end);
    }

    fn end(
        &mut self,
        step: &BoundStep,
        input: &Map<String, Value>,
        above: &str,
        ends: &Ends,
    ) -> (End, Vec<String>) {
        let is_stuck = |before: &usize| matches!(ends[before].0, End::Stuck);
        if step.after.iter().any(is_stuck) {
            return (End::Stuck, Vec::new());
        }
        let is_skipped = |step: usize| matches!(ends[&step].0, End::Skipped);
        let required = step.inputs.iter().filter(|(_, required, _)| *required);
        let mut needs = required.filter_map(|(_, _, source)| step_of(source));
        let holds = match &step.condition {
            _ if needs.any(is_skipped) => false,
            Some(Condition::AtLeast(asked, number)) => {
                let source = Source::Output(*asked, "n".to_owned());
                let given = value(&source, input, ends).and_then(|it| it.as_u64());
                given.is_some_and(|given| given >= *number)
            }
            Some(Condition::Gives(asked, field)) => {
                let source = Source::Output(*asked, field.clone());
                value(&source, input, ends).is_some()
            }
            Some(Condition::Flag(flag)) => input.get("flag") == Some(&json!(flag)),
            None => true,
        };
        if !holds {
            return (End::Skipped, Vec::new());
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

    fn leaf(&mut self, leaf: usize, given: &Map<String, Value>) -> (End, Vec<String>) {
        let leaf = &LEAVES[leaf];
        let call = Call::new(leaf.id, given);
        let paths: Vec<String> = call.path.iter().cloned().collect();
        if leaf.is_tagged() || self.cache.insert(call.clone()) {
            self.expected.calls.push(call);
        }
        match paths.iter().any(|path| self.failing.contains(path)) {
            true => (End::Stuck, paths),
            false => (End::Gave(leaf.give(given)), paths),
        }
    }
}

fn value(source: &Source, input: &Map<String, Value>, ends: &Ends) -> Option<Value> {
    match source {
        Source::Literal(text) => Some(json!(text.replace("$$", "$"))),
        Source::Input(name) => input.get(name).cloned(),
        Source::Output(step, field) => match &ends.get(step)?.0 {
            End::Gave(output) => output.get(field).cloned(),
            End::Skipped | End::Stuck => None,
        },
    }
}
