//! What a skill means, told in the plainest way: values are looked for by the rules of the documentation, and
//! steps are run one after the other, each when somebody needs it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::compose::{Composite, Condition, Sample, Source, Step, Target};
use super::leaves::LEAVES;

/// A composite with where everything comes from.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) id: &'static str,
    /// Each with whether it is needed.
    pub(super) inputs: Vec<(String, bool)>,
    states_input: bool,
    writes: bool,
    /// In the order of writing; those that `execution` leaves out are not here.
    steps: Vec<BoundStep>,
    outputs: Vec<(String, Source)>,
    is_crowded: bool,
}

#[derive(Clone, Debug)]
struct BoundStep {
    /// Its number in the composite.
    step: usize,
    name: String,
    target: Target,
    inputs: Vec<(String, bool, Source)>,
    condition: Option<Condition>,
    /// Numbers of steps that must be over.
    after: BTreeSet<usize>,
    is_crowded: bool,
}

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

impl Bound {
    pub(super) fn outputs(&self) -> Vec<String> {
        self.outputs.iter().map(|(name, _)| name.clone()).collect()
    }
}

/// `known`: the composites that it can be made of.
pub(super) fn bind(composite: &Composite, known: &[Bound]) -> Bound {
    let blocks: Vec<Vec<usize>> = match &composite.execution {
        Some(blocks) => blocks.clone(),
        None => (0..composite.steps.len()).map(|step| vec![step]).collect(),
    };
    let mut needed: BTreeMap<String, bool> = BTreeMap::new();
    let mut steps: Vec<BoundStep> = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        let before: Vec<usize> = blocks[..at].iter().flatten().copied().collect();
        for &step in block {
            let mut bound = bind_step(composite, known, step, &before, &mut needed);
            if composite.execution.is_some() {
                bound.after.extend(&before);
            }
            steps.push(bound);
        }
    }
    let block_of = |step: usize| blocks.iter().position(|block| block.contains(&step));
    let writing: Vec<usize> = steps
        .iter()
        .filter(|it| writes(it.target, known))
        .map(|it| it.step)
        .collect();
    for (place, later) in writing.iter().enumerate() {
        for earlier in &writing[..place] {
            if block_of(*earlier) != block_of(*later) && !waits(&steps, *earlier, *later) {
                let own = steps.iter_mut().find(|it| it.step == *later).unwrap();
                own.after.insert(*earlier);
            }
        }
    }
    let outputs = match &composite.outputs {
        Some(stated) => {
            for (_, source) in stated {
                if let Source::Input(name) = source {
                    needed.entry(name.clone()).or_insert(false);
                }
            }
            stated.clone()
        }
        None => {
            let mut given: BTreeMap<String, Source> = BTreeMap::new();
            for bound in &steps {
                for (name, field) in offers(&composite.steps[bound.step], known) {
                    given.insert(name, Source::Output(bound.step, field));
                }
            }
            given.into_iter().collect()
        }
    };
    let inputs = match composite.states_input {
        true => {
            let names = composite.stated_inputs().into_iter();
            names.map(|name| (name, true)).collect()
        }
        false => needed.into_iter().collect(),
    };
    Bound {
        id: composite.id,
        inputs,
        states_input: composite.states_input,
        writes: !writing.is_empty(),
        is_crowded: steps.iter().any(|step| step.is_crowded),
        steps,
        outputs,
    }
}

fn bind_step(
    composite: &Composite,
    known: &[Bound],
    index: usize,
    before: &[usize],
    needed: &mut BTreeMap<String, bool>,
) -> BoundStep {
    let step = &composite.steps[index];
    let (wanted, states_its_input) = match step.target {
        Target::Leaf(leaf) => (LEAVES[leaf].inputs(), LEAVES[leaf].states_its_input()),
        Target::Composite(composite) => (
            known[composite].inputs.clone(),
            known[composite].states_input,
        ),
    };
    let by_name = |name: &str| {
        before.iter().rev().find_map(|earlier| {
            let offers = offers(&composite.steps[*earlier], known);
            let (_, field) = offers.into_iter().find(|(known, _)| known == name)?;
            Some(Source::Output(*earlier, field))
        })
    };
    let mut from_input = |name: &str, required: bool| {
        let is_there = composite.states_input.then(|| composite.stated_inputs());
        match is_there {
            Some(names) => names.iter().any(|it| it == name),
            None => {
                *needed.entry(name.to_owned()).or_default() |= required;
                true
            }
        }
        .then(|| Source::Input(name.to_owned()))
    };
    let mut inputs = Vec::new();
    let mut is_crowded = false;
    for (name, required) in wanted {
        let given = step.inputs.iter().find(|(known, _)| *known == name);
        let mapped = step.input_mapping.as_ref().filter(|(_, to)| *to == name);
        let source = match (given, mapped) {
            (Some((_, Source::Input(from))), _) => from_input(from, false),
            (Some((_, source)), _) => Some(source.clone()),
            (None, Some((from, _))) => by_name(from).or_else(|| from_input(from, required)),
            // What only happens to have the name of a filter is not meant.
            (None, None) if !required && !states_its_input => {
                let gives = |earlier: &&usize| {
                    let offers = offers(&composite.steps[**earlier], known);
                    offers.iter().any(|(known, _)| *known == name)
                };
                is_crowded |= before.iter().filter(gives).count() > 1;
                from_input(&name, required)
            }
            (None, None) => by_name(&name).or_else(|| from_input(&name, required)),
        };
        inputs.extend(source.map(|source| (name, required, source)));
    }
    let mut after: BTreeSet<usize> = inputs.iter().filter_map(|it| step_of(&it.2)).collect();
    match &step.condition {
        Some(Condition::AtLeast(asked, _) | Condition::Gives(asked, _)) => {
            after.insert(*asked);
        }
        Some(Condition::Flag(_)) => {
            from_input("flag", false);
        }
        None => {}
    }
    BoundStep {
        step: index,
        name: step.name.clone(),
        target: step.target,
        inputs,
        condition: step.condition.clone(),
        after,
        is_crowded,
    }
}

/// What others find by which name, and what the step calls it.
fn offers(step: &Step, known: &[Bound]) -> Vec<(String, String)> {
    let fields: Vec<String> = match step.target {
        Target::Leaf(leaf) => LEAVES[leaf].outputs().map(str::to_owned).collect(),
        Target::Composite(composite) => known[composite].outputs(),
    };
    let name = |field: &String| match &step.output_mapping {
        Some((old, new)) if old == field => new.clone(),
        _ => field.clone(),
    };
    fields
        .iter()
        .map(|field| (name(field), field.clone()))
        .collect()
}

fn step_of(source: &Source) -> Option<usize> {
    match source {
        Source::Output(step, _) => Some(*step),
        Source::Literal(_) | Source::Input(_) => None,
    }
}

fn writes(target: Target, known: &[Bound]) -> bool {
    match target {
        Target::Leaf(leaf) => LEAVES[leaf].writes(),
        Target::Composite(composite) => known[composite].writes,
    }
}

fn waits(steps: &[BoundStep], one: usize, other: usize) -> bool {
    let mut seen = BTreeSet::new();
    let mut next = vec![one];
    while let Some(step) = next.pop() {
        if step == other {
            return true;
        }
        if seen.insert(step) {
            let bound = steps.iter().find(|it| it.step == step);
            next.extend(bound.into_iter().flat_map(|it| it.after.iter().copied()));
        }
    }
    false
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

    /// Whether several steps give what another could take and does not. Runs of such are not tried.
    pub(super) fn is_crowded(&self) -> bool {
        self.0.iter().any(|bound| bound.is_crowded)
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
