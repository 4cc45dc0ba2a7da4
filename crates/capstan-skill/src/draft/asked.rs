//! The inputs of the drafted skill: what its steps need and no other step produces.

use std::collections::BTreeSet;

use capstan_schema::{Schema, assignable_projected};
use serde_json::{Value, json};

use super::naming;
use super::steps::{DraftInput, DraftStep, InputSource, ObservedInput};
use super::values::{DEEPEST, depth, type_of};

/// An input of the drafted skill.
pub(super) struct SkillInput<'s> {
    pub(super) name: String,
    pub(super) schema: Value,
    pub(super) value: Option<&'s Value>,
    /// The name of the input in the steps.
    of: &'s str,
    /// The inputs that use it, as pairs of step index and input index.
    pub(super) consumers: Vec<(usize, usize)>,
}

/// Collects the inputs of the skill. Steps that received the same value under the same name share one.
pub(super) fn asked<'s>(steps: &'s [DraftStep<'_>]) -> Vec<SkillInput<'s>> {
    // A step would bind such a name although the observed call did not pass it.
    let others: BTreeSet<&str> = steps
        .iter()
        .flat_map(|step| step.others.iter().map(String::as_str))
        .collect();
    let mut all: Vec<SkillInput<'s>> = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        for (place, input) in step.inputs.iter().enumerate() {
            if *input.source() != InputSource::FromSkill {
                continue;
            }
            let schema = schema(input);
            let consumer = (number, place);
            if let Some(same) = all
                .iter_mut()
                .find(|it| it.may_serve(&input.given, &schema))
            {
                same.consumers.push(consumer);
                if !fits(&same.schema, &schema) {
                    same.schema = schema;
                }
                continue;
            }
            let is_taken =
                |name: &str| others.contains(name) || all.iter().any(|it| it.name == name);
            let plain = naming::input(&input.given.name);
            let name = if is_taken(&plain) {
                let long = format!("{}_{plain}", step.name.replace('-', "_"));
                naming::unique(&long, '_', &is_taken)
            } else {
                plain
            };
            all.push(SkillInput {
                name,
                schema,
                value: input.given.value,
                of: &input.given.name,
                consumers: vec![consumer],
            });
        }
    }
    all
}

impl SkillInput<'_> {
    fn may_serve(&self, given: &ObservedInput<'_>, schema: &Value) -> bool {
        let is_same = self.of == given.name && self.value.is_some() && self.value == given.value;
        is_same && (fits(&self.schema, schema) || fits(schema, &self.schema))
    }

    /// Returns the schema, with the observed value as an example if wanted.
    pub(super) fn shown(&self, with_example: bool) -> Value {
        let mut schema = self.schema.clone();
        if let (true, Some(value), Value::Object(keywords)) =
            (with_example, self.value, &mut schema)
        {
            keywords.remove("examples");
            if depth(value) <= DEEPEST {
                keywords.insert("examples".to_owned(), json!([value]));
            }
        }
        schema
    }
}

fn schema(input: &DraftInput<'_>) -> Value {
    let known = input.given.schema.as_ref();
    let observed = || input.given.value.map_or_else(|| json!({}), type_of);
    match known {
        Some(schema) if !input.is_coarse => schema.clone(),
        Some(schema) => match schema.get("type") {
            Some(kind) => json!({"type": kind}),
            None => observed(),
        },
        None => observed(),
    }
}

/// Whether everything that matches one schema matches the other.
fn fits(from: &Value, to: &Value) -> bool {
    from == to || assignable_projected(Schema::new(from), Schema::new(to)).is_ok()
}
