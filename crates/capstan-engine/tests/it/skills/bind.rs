//! Binds the inputs of composites by the documented rules: a stated value, else the output of an earlier step with
//! that name, else the input of the composite. Written independently of the engine.

use std::collections::{BTreeMap, BTreeSet};

use super::compose::{Composite, CompositeStep, Condition, Target, ValueOrigin};
use super::leaves::LEAVES;

/// A composite with the origin of each value.
#[derive(Clone, Debug)]
pub(super) struct BoundComposite {
    pub(super) id: &'static str,
    /// The inputs, and whether each is required.
    pub(super) inputs: Vec<(String, bool)>,
    declares_input: bool,
    writes: bool,
    /// In the order in which they are written, without those that `execution` leaves out.
    pub(super) steps: Vec<BoundStep>,
    pub(super) outputs: Vec<(String, ValueOrigin)>,
}

/// A step with the origin of each input.
#[derive(Clone, Debug)]
pub(super) struct BoundStep {
    /// Its index in the composite.
    pub(super) step: usize,
    pub(super) name: String,
    pub(super) target: Target,
    /// The inputs, whether each is required, and its origin.
    pub(super) inputs: Vec<(String, bool, ValueOrigin)>,
    pub(super) condition: Option<Condition>,
    /// The indices of steps that must finish first.
    pub(super) after: BTreeSet<usize>,
}

impl BoundComposite {
    pub(super) fn output_names(&self) -> Vec<String> {
        self.outputs.iter().map(|(name, _)| name.clone()).collect()
    }
}

/// Binds a composite. `known` are the composites that it can contain.
pub(super) fn bind(composite: &Composite, known: &[BoundComposite]) -> BoundComposite {
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
            if block_of(*earlier) != block_of(*later) && !waits_for(&steps, *earlier, *later) {
                let own = steps.iter_mut().find(|it| it.step == *later).unwrap();
                own.after.insert(*earlier);
            }
        }
    }
    let outputs = match &composite.outputs {
        Some(stated) => {
            for (_, source) in stated {
                if let ValueOrigin::Input(name) = source {
                    needed.entry(name.clone()).or_insert(false);
                }
            }
            stated.clone()
        }
        None => {
            let mut given: BTreeMap<String, ValueOrigin> = BTreeMap::new();
            for bound in &steps {
                for (name, field) in offers(&composite.steps[bound.step], known) {
                    given.insert(name, ValueOrigin::Output(bound.step, field));
                }
            }
            given.into_iter().collect()
        }
    };
    let inputs = if composite.declares_input {
        let names = composite.declared_inputs().into_iter();
        names.map(|name| (name, true)).collect()
    } else {
        needed.into_iter().collect()
    };
    BoundComposite {
        id: composite.id,
        inputs,
        declares_input: composite.declares_input,
        writes: !writing.is_empty(),
        steps,
        outputs,
    }
}

fn bind_step(
    composite: &Composite,
    known: &[BoundComposite],
    index: usize,
    before: &[usize],
    needed: &mut BTreeMap<String, bool>,
) -> BoundStep {
    let step = &composite.steps[index];
    let (wanted, declares_input) = match step.target {
        Target::Leaf(leaf) => (LEAVES[leaf].inputs(), LEAVES[leaf].declares_input()),
        Target::Composite(composite) => (
            known[composite].inputs.clone(),
            known[composite].declares_input,
        ),
    };
    let by_name = |name: &str| {
        before.iter().rev().find_map(|earlier| {
            let offers = offers(&composite.steps[*earlier], known);
            let (_, field) = offers.into_iter().find(|(known, _)| known == name)?;
            Some(ValueOrigin::Output(*earlier, field))
        })
    };
    let mut from_input = |name: &str, required: bool| {
        let is_there = composite
            .declares_input
            .then(|| composite.declared_inputs());
        match is_there {
            Some(names) => names.iter().any(|it| it == name),
            None => {
                *needed.entry(name.to_owned()).or_default() |= required;
                true
            }
        }
        .then(|| ValueOrigin::Input(name.to_owned()))
    };
    let mut inputs = Vec::new();
    for (name, required) in wanted {
        let given = step.inputs.iter().find(|(known, _)| *known == name);
        let mapped = step.input_mapping.as_ref().filter(|(_, to)| *to == name);
        let source = match (given, mapped) {
            (Some((_, ValueOrigin::Input(from))), _) => from_input(from, false),
            (Some((_, source)), _) => Some(source.clone()),
            (None, Some((from, _))) => by_name(from).or_else(|| from_input(from, required)),
            // An output is not bound to an optional input just because it has the same name.
            (None, None) if !required && !declares_input => from_input(&name, required),
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

/// Returns the outputs that a step offers to others: the name for others, and the step's own name.
fn offers(step: &CompositeStep, known: &[BoundComposite]) -> Vec<(String, String)> {
    let fields: Vec<String> = match step.target {
        Target::Leaf(leaf) => LEAVES[leaf].outputs().map(str::to_owned).collect(),
        Target::Composite(composite) => known[composite].output_names(),
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

/// Returns the step that a value comes from, if any.
pub(super) fn step_of(source: &ValueOrigin) -> Option<usize> {
    match source {
        ValueOrigin::Output(step, _) => Some(*step),
        ValueOrigin::Literal(_) | ValueOrigin::Input(_) => None,
    }
}

fn writes(target: Target, known: &[BoundComposite]) -> bool {
    match target {
        Target::Leaf(leaf) => LEAVES[leaf].writes(),
        Target::Composite(composite) => known[composite].writes,
    }
}

/// Returns whether `one` waits for `other`, directly or through other steps.
fn waits_for(steps: &[BoundStep], one: usize, other: usize) -> bool {
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
