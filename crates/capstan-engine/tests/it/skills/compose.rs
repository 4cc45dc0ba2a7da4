//! Composites, and their YAML as an author would write it.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::{Map, Value, json};

use super::leaves::{LEAVES, Leaf, NAMES, type_of};

/// How often a step that times out is tried.
pub(super) const ATTEMPTS: usize = 3;

/// The composites of one test case: those of L2 first, the workflow last.
#[derive(Clone)]
pub(super) struct Sample {
    pub(super) composites: Vec<Composite>,
    pub(super) flag: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Composite {
    pub(super) id: &'static str,
    pub(super) level: u8,
    pub(super) declares_input: bool,
    pub(super) steps: Vec<CompositeStep>,
    /// The entries of `execution`; those with several steps are `parallel`.
    pub(super) execution: Option<Vec<Vec<usize>>>,
    /// `None`: the outputs of the steps are the output.
    pub(super) outputs: Option<Vec<(String, ValueOrigin)>>,
}

#[derive(Clone, Debug)]
pub(super) struct CompositeStep {
    pub(super) name: String,
    pub(super) target: Target,
    pub(super) inputs: Vec<(String, ValueOrigin)>,
    /// Whether `inputs` are written in `execution` instead of in the composition.
    pub(super) in_execution: bool,
    /// From, to.
    pub(super) input_mapping: Option<(String, String)>,
    /// Old, new.
    pub(super) output_mapping: Option<(String, String)>,
    pub(super) condition: Option<Condition>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Leaf(usize),
    /// By its index in the sample.
    Composite(usize),
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ValueOrigin {
    Literal(String),
    Input(String),
    Output(usize, String),
}

#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// The output `n` of a step is at least this.
    AtLeast(usize, u64),
    Flag(bool),
    /// A step has this output.
    Gives(usize, String),
}

impl Target {
    pub(super) fn leaf(self) -> Option<&'static Leaf> {
        match self {
            Target::Leaf(index) => Some(&LEAVES[index]),
            Target::Composite(_) => None,
        }
    }
}

impl Composite {
    /// Returns the names of the declared inputs.
    pub(super) fn declared_inputs(&self) -> Vec<String> {
        let tag = (self.level == 2).then_some("tag");
        let names = NAMES.into_iter().chain(["flag"]).chain(tag);
        names.map(str::to_owned).collect()
    }

    fn yaml(&self, composites: &[Composite]) -> Value {
        let composes: Vec<Value> = self
            .steps
            .iter()
            .map(|it| self.entry(it, composites))
            .collect();
        let retry =
            json!({"max_attempts": ATTEMPTS, "backoff": "fixed", "retry_on": ["TimeoutError"]});
        let mut skill =
            json!({"id": self.id, "level": self.level, "composes": composes, "retry": retry});
        if self.declares_input {
            let names = self.declared_inputs();
            let properties: Map<String, Value> =
                names.iter().map(|it| (it.clone(), type_of(it))).collect();
            skill["input_schema"] =
                json!({"type": "object", "properties": properties, "required": names});
        }
        if let Some(outputs) = &self.outputs {
            let properties: Map<String, Value> = outputs
                .iter()
                .map(|(name, _)| (name.clone(), type_of(name)))
                .collect();
            let given: Map<String, Value> = outputs
                .iter()
                .map(|(name, source)| (name.clone(), json!(self.expression(source))))
                .collect();
            skill["output_schema"] = json!({"type": "object", "properties": properties});
            skill["outputs"] = json!(given);
        }
        if let Some(execution) = &self.execution {
            let blocks = execution.iter().map(|steps| match steps.as_slice() {
                [one] => self.block(*one),
                [first, rest @ ..] if rest.len() > 1 => {
                    // A parallel block within a parallel block means the same.
                    let rest: Vec<_> = rest.iter().map(|step| self.block(*step)).collect();
                    json!({"parallel": [self.block(*first), {"parallel": rest}]})
                }
                several => {
                    let members: Vec<_> = several.iter().map(|step| self.block(*step)).collect();
                    json!({"parallel": members})
                }
            });
            skill["execution"] = json!(blocks.collect::<Vec<_>>());
        }
        skill
    }

    fn entry(&self, step: &CompositeStep, composites: &[Composite]) -> Value {
        let target = match step.target {
            Target::Leaf(index) => LEAVES[index].id,
            Target::Composite(index) => composites[index].id,
        };
        let mut entry = json!({"skill": target});
        if step.name != target {
            entry["as"] = json!(step.name);
        }
        if !step.in_execution {
            entry["inputs"] = self.given(step);
        }
        if let Some((from, to)) = &step.input_mapping {
            entry["input_mapping"] = json!({from: to});
        }
        if let Some((old, new)) = &step.output_mapping {
            entry["output_mapping"] = json!({old: new});
        }
        entry
    }

    fn block(&self, step: usize) -> Value {
        let step = &self.steps[step];
        let mut block = json!({"step": step.name});
        if step.in_execution {
            block["inputs"] = self.given(step);
        }
        if let Some(condition) = &step.condition {
            block["condition"] = json!(match condition {
                Condition::AtLeast(step, number) =>
                    format!("${}.output.n >= {number}", self.steps[*step].name),
                Condition::Flag(flag) => format!("$input.flag == {flag}"),
                Condition::Gives(step, field) =>
                    format!("${}.output.{field} != null", self.steps[*step].name),
            });
        }
        block
    }

    fn given(&self, step: &CompositeStep) -> Value {
        let given: Map<String, Value> = step
            .inputs
            .iter()
            .map(|(name, source)| (name.clone(), json!(self.expression(source))))
            .collect();
        json!(given)
    }

    fn expression(&self, source: &ValueOrigin) -> String {
        match source {
            ValueOrigin::Literal(text) => text.clone(),
            ValueOrigin::Input(name) => format!("$input.{name}"),
            ValueOrigin::Output(step, field) => {
                format!("${}.output.{field}", self.steps[*step].name)
            }
        }
    }
}

impl Sample {
    /// Returns the YAML of all skills that the workflow uses.
    pub(super) fn text(&self) -> String {
        let mut leaves = BTreeSet::new();
        let composites = self.used();
        for step in composites.iter().flat_map(|it| &it.steps) {
            if let Target::Leaf(leaf) = step.target {
                leaves.insert(leaf);
            }
        }
        let leaves = leaves.into_iter().filter_map(|leaf| LEAVES[leaf].skill());
        let composites = composites.iter().map(|it| it.yaml(&self.composites));
        let all: Vec<_> = leaves.chain(composites).map(|it| it.to_string()).collect();
        all.join("\n---\n")
    }

    fn used(&self) -> Vec<&Composite> {
        let whole = self.composites.last().into_iter();
        let mut used: Vec<_> = whole.clone().collect();
        for step in whole.flat_map(|whole| &whole.steps) {
            if let Target::Composite(index) = step.target {
                let composite = &self.composites[index];
                if used.iter().all(|known| known.id != composite.id) {
                    used.push(composite);
                }
            }
        }
        used
    }
}

/// Shows the YAML of the composites when a test fails.
impl fmt::Debug for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "flag: {}", self.flag)?;
        for composite in self.used() {
            writeln!(f, "{:#}", composite.yaml(&self.composites))?;
        }
        Ok(())
    }
}
