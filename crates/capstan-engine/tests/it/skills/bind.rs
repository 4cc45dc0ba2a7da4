//! Where everything in a composite comes from, by the rules of the documentation: what a step is given, else
//! what earlier steps give by that name, else the input.

use std::collections::{BTreeMap, BTreeSet};

use super::compose::{Composite, Condition, Source, Step, Target};
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
    pub(super) steps: Vec<BoundStep>,
    pub(super) outputs: Vec<(String, Source)>,
}

#[derive(Clone, Debug)]
pub(super) struct BoundStep {
    /// Its number in the composite.
    pub(super) step: usize,
    pub(super) name: String,
    pub(super) target: Target,
    /// Each with whether it is needed.
    pub(super) inputs: Vec<(String, bool, Source)>,
    pub(super) condition: Option<Condition>,
    /// Numbers of steps that must be over.
    pub(super) after: BTreeSet<usize>,
}

impl Bound {
    pub(super) fn gives(&self) -> Vec<String> {
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
    for (name, required) in wanted {
        let given = step.inputs.iter().find(|(known, _)| *known == name);
        let mapped = step.input_mapping.as_ref().filter(|(_, to)| *to == name);
        let source = match (given, mapped) {
            (Some((_, Source::Input(from))), _) => from_input(from, false),
            (Some((_, source)), _) => Some(source.clone()),
            (None, Some((from, _))) => by_name(from).or_else(|| from_input(from, required)),
            // What only happens to have the name of a filter is not meant.
            (None, None) if !required && !states_its_input => from_input(&name, required),
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
    }
}

/// What others find by which name, and what the step calls it.
fn offers(step: &Step, known: &[Bound]) -> Vec<(String, String)> {
    let fields: Vec<String> = match step.target {
        Target::Leaf(leaf) => LEAVES[leaf].outputs().map(str::to_owned).collect(),
        Target::Composite(composite) => known[composite].gives(),
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

pub(super) fn step_of(source: &Source) -> Option<usize> {
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
