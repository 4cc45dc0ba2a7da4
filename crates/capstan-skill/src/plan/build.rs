//! Builds the plan of a checked skill.

use std::collections::BTreeSet;
use std::sync::Arc;

use capstan_core::Diagnostic;

use super::{Leaf, Node, NodeKind, Plan, Scope, SpreadStep};
use crate::bind::{Bound, BoundStep};
use crate::check::{Assembled, Checked, Target, assembly_key, target};
use crate::resolve::Resolution;
use crate::skill::{Compose, Runs, Skill};

impl Checked<'_> {
    /// Returns the plan of a skill; if the skill has mistakes, returns these.
    pub fn plan(&self, skill: &Skill) -> Result<Plan, Vec<Diagnostic>> {
        let wrong: Vec<_> = self.errors_of(skill).into_iter().cloned().collect();
        let index = self.library.index(skill);
        let (Some(index), true) = (index, wrong.is_empty()) else {
            return Err(wrong);
        };
        let resolution = &self.resolutions[index];
        let Some(assembled) = self.assembled(index, resolution) else {
            return Err(wrong);
        };
        let mut builder = Builder {
            checked: self,
            resolution,
            scopes: Vec::new(),
            nodes: Vec::new(),
        };
        builder.open(String::new(), skill, &assembled);
        match &assembled.bound {
            Some(bound) => {
                builder.composite(0, skill, bound, None);
            }
            None => {
                builder.atomic(skill, &assembled);
            }
        }
        Ok(Plan {
            id: skill.id.clone(),
            version: skill.version.clone(),
            level: skill.level,
            description: skill.description.clone(),
            contract: assembled.contract.clone(),
            scopes: builder.scopes,
            nodes: builder.nodes,
            timeout: skill.timeout,
            is_from_folder: skill.origin.is_from_folder,
        })
    }

    fn assembled(&self, index: usize, resolution: &Resolution) -> Option<Arc<Assembled>> {
        let key = assembly_key(self.library, resolution, index);
        self.assembled.get(&key).cloned()
    }
}

struct Builder<'a> {
    checked: &'a Checked<'a>,
    resolution: &'a Resolution,
    scopes: Vec<Scope>,
    nodes: Vec<Node>,
}

impl Builder<'_> {
    fn open(&mut self, path: String, skill: &Skill, assembled: &Assembled) -> usize {
        let outputs = assembled.bound.as_ref().map(|bound| bound.outputs.clone());
        let spread = assembled.bound.iter().flat_map(|bound| &bound.spread);
        let spread = spread.map(|step| spread_step(&skill.composes[*step]));
        self.scopes.push(Scope {
            path,
            skill: skill.full_name(),
            input: assembled.contract.input.clone(),
            outputs: outputs.unwrap_or_default(),
            spread: spread.collect(),
            output: assembled.contract.output.clone(),
        });
        self.scopes.len() - 1
    }

    /// Adds the steps of a composite. `begin` is the node at which it begins, `None` at the top. Returns the
    /// last node of each step.
    fn composite(
        &mut self,
        scope: usize,
        skill: &Skill,
        bound: &Bound,
        begin: Option<usize>,
    ) -> Vec<usize> {
        let mut ends: Vec<Option<usize>> = vec![None; bound.steps.len()];
        // Each step is added after the steps that it waits for.
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
                // Only steps on a cycle remain, and the checker refuses cycles.
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
        let path = if above.is_empty() {
            name.clone()
        } else {
            format!("{above}/{name}")
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
                let assembled = self.checked.assembled(index, self.resolution)?;
                let Some(inner) = &assembled.bound else {
                    let leaf = leaf_from_skill(skill, &part, &assembled, bound)?;
                    self.nodes.push(node(NodeKind::Run(Box::new(leaf)), path));
                    return Some(self.nodes.len() - 1);
                };
                let opened = self.open(path.clone(), &part, &assembled);
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

    /// Adds the only step of an atomic skill. Its input and output are those of the skill.
    fn atomic(&mut self, skill: &Skill, assembled: &Assembled) {
        let Some(runs) = &skill.runs else {
            return;
        };
        self.nodes.push(Node {
            kind: NodeKind::Run(Box::new(Leaf {
                skill: skill.full_name(),
                runs: runs.value.clone(),
                operation: assembled.contract.operation,
                input: assembled.contract.input.clone(),
                output: assembled.contract.output.clone(),
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

fn leaf_from_skill(
    around: &Skill,
    part: &Skill,
    assembled: &Assembled,
    bound: &BoundStep,
) -> Option<Leaf> {
    let runs: Runs = part.runs.as_ref()?.value.clone();
    Some(Leaf {
        skill: part.full_name(),
        runs,
        operation: assembled.contract.operation,
        input: assembled.contract.input.clone(),
        output: assembled.contract.output.clone(),
        // The block of the step takes precedence, then the skill that it runs, then the skill around it.
        retry: bound
            .retry
            .clone()
            .or_else(|| part.retry.clone())
            .or_else(|| around.retry.clone()),
        timeout: bound.timeout.or(part.timeout),
        cached: part.cached,
    })
}
