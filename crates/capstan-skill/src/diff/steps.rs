//! The steps of a skill, without their places in the file.

use std::time::Duration;

use crate::{Block, Compose, Given, Placed, Range, Retry, Skill, StepBlock};

/// Everything that a file says about one step.
pub(super) struct StepDefinition<'a> {
    pub(super) name: &'a str,
    skill: &'a str,
    version: Option<&'a Range>,
    input_mapping: Vec<(&'a str, &'a str)>,
    output_mapping: Vec<(&'a str, &'a str)>,
    inputs: Vec<(&'a str, &'a Given)>,
    condition: Option<&'a str>,
    retry: Option<&'a Retry>,
    timeout: Option<Duration>,
}

/// An entry in the order of steps: a step, or entries in parallel.
#[derive(PartialEq)]
pub(super) enum OrderEntry<'a> {
    Step(&'a str),
    Parallel(Vec<OrderEntry<'a>>),
}

pub(super) fn steps(skill: &Skill) -> Vec<StepDefinition<'_>> {
    let steps = skill.composes.iter().map(|compose| step(skill, compose));
    steps.collect()
}

/// Returns the order of the steps that the other version has too.
pub(super) fn order<'a>(skill: &'a Skill, other: &Skill) -> Vec<OrderEntry<'a>> {
    let stays = |name: &str| other.composes.iter().any(|it| it.step_name() == name);
    if skill.execution.is_empty() {
        let names = skill.composes.iter().map(Compose::step_name);
        return names.filter(|it| stays(it)).map(OrderEntry::Step).collect();
    }
    order_entries(&skill.execution, &stays)
}

fn order_entries<'a>(blocks: &'a [Block], stays: &dyn Fn(&str) -> bool) -> Vec<OrderEntry<'a>> {
    let entries = blocks.iter().filter_map(|block| match block {
        Block::Step(step) => stays(&step.step.value).then_some(OrderEntry::Step(&step.step.value)),
        Block::Parallel(members) => {
            let members = order_entries(members, stays);
            (!members.is_empty()).then_some(OrderEntry::Parallel(members))
        }
    });
    entries.collect()
}

/// Returns the values sorted by name, because their order in the file means nothing.
pub(super) fn given(all: &[(Placed<String>, Placed<Given>)]) -> Vec<(&str, &Given)> {
    let pairs = all.iter();
    let mut pairs: Vec<_> = pairs
        .map(|(name, given)| (name.value.as_str(), &given.value))
        .collect();
    pairs.sort_by_key(|(name, _)| *name);
    pairs
}

impl StepDefinition<'_> {
    /// Describes the differences to a new version of the step.
    pub(super) fn differences(&self, new: &Self) -> Vec<String> {
        let mut told = Vec::new();
        if self.skill != new.skill {
            told.push(format!("is `{}`, was `{}`", new.skill, self.skill));
        }
        if self.version != new.version {
            let any = Range::any();
            let old = self.version.unwrap_or(&any);
            let new = new.version.unwrap_or(&any);
            told.push(format!("takes versions {new}, took {old}"));
        }
        if self.inputs != new.inputs || self.input_mapping != new.input_mapping {
            told.push("gets other inputs".to_owned());
        }
        if self.output_mapping != new.output_mapping {
            told.push("names its outputs differently".to_owned());
        }
        match (self.condition, new.condition) {
            (old, new) if old == new => {}
            (None, Some(new)) => told.push(format!("runs only if {new}")),
            (Some(_), None) => told.push("always runs".to_owned()),
            (Some(old), Some(new)) => told.push(format!("runs if {new}, ran if {old}")),
            (None, None) => {}
        }
        if self.retry != new.retry {
            told.push("is retried differently".to_owned());
        }
        if self.timeout != new.timeout {
            told.push("has another time limit".to_owned());
        }
        told
    }
}

fn step<'a>(skill: &'a Skill, compose: &'a Compose) -> StepDefinition<'a> {
    let name = compose.step_name();
    let block = block(&skill.execution, name);
    let mut inputs = given(&compose.inputs);
    inputs.extend(block.map(|it| given(&it.inputs)).unwrap_or_default());
    StepDefinition {
        name,
        skill: &compose.skill.value,
        version: compose.version.as_ref().map(|it| &it.value),
        input_mapping: mapping(&compose.input_mapping),
        output_mapping: mapping(&compose.output_mapping),
        inputs,
        condition: block
            .and_then(|it| it.condition.as_ref())
            .map(|it| it.text.as_str()),
        retry: block.and_then(|it| it.retry.as_ref()),
        timeout: block.and_then(|it| it.timeout),
    }
}

/// Returns the first block in `execution` that runs a step.
fn block<'a>(blocks: &'a [Block], name: &str) -> Option<&'a StepBlock> {
    blocks.iter().find_map(|it| match it {
        Block::Step(step) => (step.step.value == name).then_some(&**step),
        Block::Parallel(members) => block(members, name),
    })
}

fn mapping(all: &[(Placed<String>, Placed<String>)]) -> Vec<(&str, &str)> {
    let pairs = all.iter();
    let mut pairs: Vec<_> = pairs
        .map(|(from, to)| (from.value.as_str(), to.value.as_str()))
        .collect();
    pairs.sort_unstable();
    pairs
}
