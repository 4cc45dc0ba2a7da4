//! From a checked skill to its plan.

use std::collections::BTreeSet;
use std::sync::Arc;

use capstan_core::Diagnostic;

use super::{Leaf, Node, NodeKind, Plan, Scope, SpreadStep};
use crate::bind::{Bound, BoundStep};
use crate::check::{Checked, Made, Target, made_of, target};
use crate::resolve::Resolution;
use crate::skill::{Compose, Runs, Skill};

impl Checked<'_> {
    /// The plan of a skill that is sound; else what is wrong.
    pub fn plan(&self, skill: &Skill) -> Result<Plan, Vec<Diagnostic>> {
        let wrong: Vec<_> = self.errors_of(skill).into_iter().cloned().collect();
        let index = self.library.index(skill);
        let (Some(index), true) = (index, wrong.is_empty()) else {
            return Err(wrong);
        };
        let resolution = &self.resolutions[index];
        let Some(made) = self.made(index, resolution) else {
            return Err(wrong);
        };
        let mut builder = Builder {
            checked: self,
            resolution,
            scopes: Vec::new(),
            nodes: Vec::new(),
        };
        builder.open(String::new(), skill, &made);
        match &made.bound {
            Some(bound) => {
                builder.composite(0, skill, bound, None);
            }
            None => {
                builder.lone(skill, &made);
            }
        }
        Ok(Plan {
            id: skill.id.clone(),
            version: skill.version.clone(),
            level: skill.level,
            description: skill.description.clone(),
            contract: made.contract.clone(),
            scopes: builder.scopes,
            nodes: builder.nodes,
            timeout: skill.timeout,
            is_found: skill.origin.is_found,
        })
    }

    fn made(&self, index: usize, resolution: &Resolution) -> Option<Arc<Made>> {
        let key = made_of(self.library, resolution, index);
        self.made.get(&key).cloned()
    }
}

struct Builder<'a> {
    checked: &'a Checked<'a>,
    resolution: &'a Resolution,
    scopes: Vec<Scope>,
    nodes: Vec<Node>,
}

impl Builder<'_> {
    fn open(&mut self, path: String, skill: &Skill, made: &Made) -> usize {
        let outputs = made.bound.as_ref().map(|bound| bound.outputs.clone());
        let spread = made.bound.iter().flat_map(|bound| &bound.spread);
        let spread = spread.map(|step| spread_step(&skill.composes[*step]));
        self.scopes.push(Scope {
            path,
            skill: skill.full_name(),
            input: made.contract.input.clone(),
            outputs: outputs.unwrap_or_default(),
            spread: spread.collect(),
            output: made.contract.output.clone(),
        });
        self.scopes.len() - 1
    }

    /// The steps of a composite; `begin` is where it begins, if not at the top. Gives the nodes at whose
    /// end each step is over.
    fn composite(
        &mut self,
        scope: usize,
        skill: &Skill,
        bound: &Bound,
        begin: Option<usize>,
    ) -> Vec<usize> {
        let mut ends: Vec<Option<usize>> = vec![None; bound.steps.len()];
        // Those that wait come after those that they wait for.
        let mut left: Vec<usize> = (0..bound.steps.len()).collect();
        while !left.is_empty() {
            let before = left.len();
            left.retain(|step| {
                let Some(bound) = &bound.steps[*step] else {
                    return false;
                };
                let ready = bound.after.iter().all(|it| ends[*it].is_some());
                if ready {
                    ends[*step] = self.step(scope, skill, *step, bound, &ends, begin);
                }
                !ready
            });
            if left.len() == before {
                // Only a circle waits for ever, and the checker refuses circles.
                break;
            }
        }
        ends.into_iter().flatten().collect()
    }

    fn step(
        &mut self,
        scope: usize,
        skill: &Skill,
        step: usize,
        bound: &BoundStep,
        ends: &[Option<usize>],
        begin: Option<usize>,
    ) -> Option<usize> {
        let compose = &skill.composes[step];
        let name = compose.step_name().to_owned();
        let above = &self.scopes[scope].path;
        let path = match above.is_empty() {
            true => name.clone(),
            false => format!("{above}/{name}"),
        };
        let nodes = |steps: &BTreeSet<usize>| -> BTreeSet<usize> {
            let ends = steps.iter().filter_map(|step| ends[*step]);
            ends.chain(begin).collect()
        };
        let (after, needs) = (nodes(&bound.after), nodes(&bound.needs));
        let library = self.checked.library;
        let target = target(library, self.checked.outside, self.resolution, compose);
        let node = |kind: NodeKind, path: String| Node {
            kind,
            scope,
            name: name.clone(),
            path,
            inputs: bound.inputs.clone(),
            condition: bound.condition.clone(),
            after: after.clone(),
            needs: needs.clone(),
        };
        match target {
            Target::Skill(index) => {
                let part = Arc::clone(library.skill(index));
                let made = self.checked.made(index, self.resolution)?;
                let Some(inner) = &made.bound else {
                    let leaf = leaf_of(skill, &part, &made, bound)?;
                    self.nodes.push(node(NodeKind::Run(Box::new(leaf)), path));
                    return Some(self.nodes.len() - 1);
                };
                let opened = self.open(path.clone(), &part, &made);
                self.nodes.push(node(NodeKind::Begin(opened), path.clone()));
                let begin = self.nodes.len() - 1;
                let ends = self.composite(opened, &part, inner, Some(begin));
                self.nodes.push(Node {
                    kind: NodeKind::End(opened),
                    scope,
                    name,
                    path,
                    inputs: Vec::new(),
                    condition: None,
                    after: ends.into_iter().chain([begin]).collect(),
                    needs: BTreeSet::from([begin]),
                });
                Some(self.nodes.len() - 1)
            }
            Target::Outside(outsider) => {
                let contract = outsider.contract;
                let leaf = Leaf {
                    skill: compose.skill.value.clone(),
                    runs: outsider.runs,
                    operation: contract.operation,
                    input: contract.input,
                    output: contract.output,
                    retry: bound.retry.clone().or_else(|| skill.retry.clone()),
                    timeout: bound.timeout,
                    cached: false,
                };
                self.nodes.push(node(NodeKind::Run(Box::new(leaf)), path));
                Some(self.nodes.len() - 1)
            }
            Target::Nothing => None,
        }
    }

    /// A skill that is not made of others is its own only step: its input is the step's, and so is its
    /// output.
    fn lone(&mut self, skill: &Skill, made: &Made) {
        let Some(runs) = &skill.runs else {
            return;
        };
        self.nodes.push(Node {
            kind: NodeKind::Run(Box::new(Leaf {
                skill: skill.full_name(),
                runs: runs.value.clone(),
                operation: made.contract.operation,
                input: made.contract.input.clone(),
                output: made.contract.output.clone(),
                retry: skill.retry.clone(),
                timeout: skill.timeout,
                cached: false,
            })),
            scope: 0,
            name: skill.id.to_string(),
            path: skill.id.to_string(),
            inputs: Vec::new(),
            condition: None,
            after: BTreeSet::new(),
            needs: BTreeSet::new(),
        });
    }
}

fn spread_step(compose: &Compose) -> SpreadStep {
    let renamed = compose.output_mapping.iter();
    SpreadStep {
        name: compose.step_name().to_owned(),
        renamed: renamed
            .map(|(old, new)| (old.value.clone(), new.value.clone()))
            .collect(),
    }
}

fn leaf_of(around: &Skill, part: &Skill, made: &Made, bound: &BoundStep) -> Option<Leaf> {
    let runs: Runs = part.runs.as_ref()?.value.clone();
    Some(Leaf {
        skill: part.full_name(),
        runs,
        operation: made.contract.operation,
        input: made.contract.input.clone(),
        output: made.contract.output.clone(),
        // What stands with the step, else what the skill that it runs says, else what is said around it.
        retry: bound
            .retry
            .clone()
            .or_else(|| part.retry.clone())
            .or_else(|| around.retry.clone()),
        timeout: bound.timeout.or(part.timeout),
        cached: part.cached,
    })
}
