//! Generates random samples: two composites of L2, and a workflow that may use them. Most are sound.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::bind::{BoundComposite, bind};
use super::compose::{Composite, CompositeStep, Condition, Sample, Target, ValueOrigin};
use super::leaves::{LEAVES, NAMES};

/// Random numbers for a step; each selects among the available options.
type RawStep = (
    (u8, bool, bool),
    Vec<(u8, u8, u8)>,
    Option<(u8, u8)>,
    Option<(u8, u8)>,
    Option<(u8, u8, u8)>,
    (u8, u8),
);

/// The steps, whether the composite declares its input, whether it has `execution`, and its outputs.
type RawComposite = (Vec<RawStep>, bool, bool, Option<Vec<u8>>);

pub(super) fn samples() -> impl Strategy<Value = Sample> {
    let parts = (composite(4), composite(4), composite(6), any::<bool>());
    parts.prop_map(|(one, other, whole, flag)| {
        let mut composites = Vec::new();
        let mut bound = Vec::new();
        for (id, level, raw) in [("pair", 2, one), ("twin", 2, other), ("flow", 3, whole)] {
            let made = make(id, level, raw, &bound);
            bound.push(bind(&made, &bound));
            composites.push(made);
        }
        Sample { composites, flag }
    })
}

fn composite(most: usize) -> impl Strategy<Value = RawComposite> {
    (
        prop::collection::vec(step(), 1..=most),
        any::<bool>(),
        any::<bool>(),
        prop::option::weighted(0.3, prop::collection::vec(any::<u8>(), 1..4)),
    )
}

fn step() -> impl Strategy<Value = RawStep> {
    let byte = any::<u8>;
    (
        (byte(), any::<bool>(), any::<bool>()),
        prop::collection::vec((byte(), byte(), byte()), 0..=1),
        prop::option::weighted(0.2, (byte(), byte())),
        prop::option::weighted(0.2, (byte(), byte())),
        prop::option::weighted(0.3, (byte(), byte(), byte())),
        (byte(), byte()),
    )
}

fn make(
    id: &'static str,
    level: u8,
    (raw, declares_input, has_execution, outputs): RawComposite,
    known: &[BoundComposite],
) -> Composite {
    let below = if level == 3 { known.len() } else { 0 };
    let mut steps: Vec<CompositeStep> = Vec::new();
    for (index, ((target, by_name, in_execution), ..)) in raw.iter().enumerate() {
        // Composites are chosen often, if there are any.
        let choice = usize::from(*target) % (LEAVES.len() + 2 * below);
        let target = match choice.checked_sub(LEAVES.len()) {
            None => Target::Leaf(choice),
            Some(composite) => Target::Composite(composite / 2),
        };
        let own = match target {
            Target::Leaf(leaf) => LEAVES[leaf].id,
            Target::Composite(composite) => known[composite].id,
        };
        let is_free = steps.iter().all(|step| step.name != own);
        steps.push(CompositeStep {
            name: if *by_name && is_free {
                own.to_owned()
            } else {
                format!("s{index}")
            },
            target,
            inputs: Vec::new(),
            in_execution: *in_execution && has_execution,
            input_mapping: None,
            output_mapping: None,
            condition: None,
        });
    }
    let execution = has_execution.then(|| execution(&raw));
    let written: Vec<usize> = match &execution {
        Some(blocks) => blocks.iter().flatten().copied().collect(),
        None => (0..steps.len()).collect(),
    };
    let place = |step: usize| written.iter().position(|it| *it == step);
    let gives = |step: &CompositeStep| match step.target {
        Target::Leaf(leaf) => LEAVES[leaf].outputs().map(str::to_owned).collect(),
        Target::Composite(composite) => known[composite].output_names(),
    };
    let outputs_of: Vec<Vec<String>> = steps.iter().map(gives).collect();
    let targets: Vec<Target> = steps.iter().map(|step| step.target).collect();
    // Mostly an earlier step.
    let some_step = |step: usize, which: u8| -> Option<usize> {
        let at = place(step)?;
        let others: Vec<usize> = if which < 220 {
            written[..at].to_vec()
        } else {
            written.iter().copied().filter(|it| *it != step).collect()
        };
        let chosen = others.get(usize::from(which) % others.len().max(1))?;
        (!outputs_of[*chosen].is_empty()).then_some(*chosen)
    };
    let some_text = |step: usize, which: u8| -> Option<String> {
        let texts: Vec<_> = outputs_of[step].iter().filter(|it| *it != "n").collect();
        texts
            .get(usize::from(which) % texts.len().max(1))
            .map(|it| (*it).clone())
    };
    for (index, (_, given, input_mapping, output_mapping, condition, _)) in raw.iter().enumerate() {
        let inputs: Vec<(String, bool)> = match steps[index].target {
            Target::Leaf(leaf) => LEAVES[leaf].inputs(),
            Target::Composite(composite) => known[composite].inputs.clone(),
        };
        let has = |wanted: &str| inputs.iter().any(|(name, _)| name == wanted);
        let name = steps[index].name.clone();
        let mut own: Vec<(String, ValueOrigin)> = Vec::new();
        if has("tag") {
            own.push(("tag".to_owned(), ValueOrigin::Literal(name)));
        }
        if has("outer") && level == 2 {
            own.push(("outer".to_owned(), ValueOrigin::Input("tag".to_owned())));
        }
        let free: Vec<&String> = inputs
            .iter()
            .map(|(name, _)| name)
            .filter(|name| NAMES.contains(&name.as_str()))
            .collect();
        for (which, kind, further) in given {
            let Some(field) = free.get(usize::from(*which) % free.len().max(1)) else {
                continue;
            };
            let output = some_step(index, *further)
                .and_then(|step| Some(ValueOrigin::Output(step, some_text(step, *which)?)));
            let source = match kind % 6 {
                0 => ValueOrigin::Literal(format!("given-{further}")),
                1 => ValueOrigin::Input(NAMES[usize::from(*further) % NAMES.len()].to_owned()),
                _ => output.unwrap_or_else(|| ValueOrigin::Literal("$$alone".to_owned())),
            };
            own.push(((*field).clone(), source));
        }
        let mapped = input_mapping.and_then(|(from, to)| {
            let to = free.get(usize::from(to) % free.len().max(1))?;
            let from = NAMES[usize::from(from) % NAMES.len()];
            Some((from.to_owned(), (*to).clone()))
        });
        let renamed = output_mapping.and_then(|(old, new)| {
            let old = some_text(index, old)?;
            let new = NAMES[usize::from(new) % NAMES.len()];
            let is_free = outputs_of[index].iter().all(|known| known != new);
            is_free.then(|| (old, new.to_owned()))
        });
        let random_condition = if has_execution { *condition } else { None };
        let condition = random_condition.and_then(|(kind, which, number)| {
            let asked = some_step(index, which);
            match (kind % 3, asked) {
                (0, Some(step)) if outputs_of[step].iter().any(|it| it == "n") => {
                    Some(Condition::AtLeast(step, u64::from(number % 4)))
                }
                // Leaves always have their outputs, so only composites are asked.
                (1, Some(step)) if targets[step].leaf().is_none() => {
                    Some(Condition::Gives(step, some_text(step, number)?))
                }
                _ => Some(Condition::Flag(number % 2 == 0)),
            }
        });
        let step = &mut steps[index];
        step.inputs = own;
        step.input_mapping = mapped;
        step.output_mapping = renamed;
        step.condition = condition;
    }
    let outputs = outputs.map(|chosen| {
        let mut named = BTreeSet::new();
        let mut outputs = Vec::new();
        for which in chosen {
            let Some(step) = written.get(usize::from(which) % written.len().max(1)) else {
                continue;
            };
            let name = NAMES[usize::from(which / 7) % NAMES.len()];
            let source = match (which % 5, some_text(*step, which)) {
                (0, _) | (_, None) => ValueOrigin::Literal(format!("told-{which}")),
                (_, Some(field)) => ValueOrigin::Output(*step, field),
            };
            if named.insert(name) {
                outputs.push((name.to_owned(), source));
            }
        }
        outputs
    });
    Composite {
        id,
        level,
        declares_input,
        steps,
        execution,
        outputs,
    }
}

/// Returns the blocks of `execution`: some steps change places, some run in parallel, some are left out.
fn execution(raw: &[RawStep]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..raw.len()).collect();
    // A few change places.
    order.sort_by_key(|step| (raw[*step].5.0 / 200, *step));
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    for step in order {
        match (raw[step].5.1 % 16, blocks.last_mut()) {
            (0, Some(_)) => {}
            (1..=7, Some(block)) => block.push(step),
            _ => blocks.push(vec![step]),
        }
    }
    blocks
}
