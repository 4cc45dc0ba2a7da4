//! Composites by chance: two of L2, and a workflow that may be made of them. Most are sound.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::bind::{Bound, bind};
use super::compose::{Composite, Condition, Sample, Source, Step, Target};
use super::leaves::{LEAVES, NAMES};

/// Numbers by which a step is made; each chooses among what there is.
type RawStep = (
    (u8, bool, bool),
    Vec<(u8, u8, u8)>,
    Option<(u8, u8)>,
    Option<(u8, u8)>,
    Option<(u8, u8, u8)>,
    (u8, u8),
);

/// Steps, whether it states its input, whether it has `execution`, and its output.
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
    (raw, states_input, has_execution, outputs): RawComposite,
    known: &[Bound],
) -> Composite {
    let below = if level == 3 { known.len() } else { 0 };
    let mut steps: Vec<Step> = Vec::new();
    for (index, ((target, by_name, in_execution), ..)) in raw.iter().enumerate() {
        // Composites come up often, where there are any.
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
        steps.push(Step {
            name: match *by_name && is_free {
                true => own.to_owned(),
                false => format!("s{index}"),
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
    let gives = |step: &Step| match step.target {
        Target::Leaf(leaf) => LEAVES[leaf].outputs().map(str::to_owned).collect(),
        Target::Composite(composite) => known[composite].gives(),
    };
    let outputs_of: Vec<Vec<String>> = steps.iter().map(gives).collect();
    let targets: Vec<Target> = steps.iter().map(|step| step.target).collect();
    // Mostly of a step that is written before.
    let some_step = |step: usize, which: u8| -> Option<usize> {
        let at = place(step)?;
        let others: Vec<usize> = match which < 220 {
            true => written[..at].to_vec(),
            false => written.iter().copied().filter(|it| *it != step).collect(),
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
        let mut own: Vec<(String, Source)> = Vec::new();
        if has("tag") {
            own.push(("tag".to_owned(), Source::Literal(name)));
        }
        if has("outer") && level == 2 {
            own.push(("outer".to_owned(), Source::Input("tag".to_owned())));
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
                .and_then(|step| Some(Source::Output(step, some_text(step, *which)?)));
            let source = match kind % 6 {
                0 => Source::Literal(format!("given-{further}")),
                1 => Source::Input(NAMES[usize::from(*further) % NAMES.len()].to_owned()),
                _ => output.unwrap_or_else(|| Source::Literal("$$alone".to_owned())),
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
        let condition = condition
            .filter(|_| has_execution)
            .and_then(|(kind, which, number)| {
                let asked = some_step(index, which);
                match (kind % 3, asked) {
                    (0, Some(step)) if outputs_of[step].iter().any(|it| it == "n") => {
                        Some(Condition::AtLeast(step, u64::from(number % 4)))
                    }
                    // What is always there is not asked for.
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
                (0, _) | (_, None) => Source::Literal(format!("told-{which}")),
                (_, Some(field)) => Source::Output(*step, field),
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
        states_input,
        steps,
        execution,
        outputs,
    }
}

/// Steps in an order of their own, some side by side, some left out.
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
