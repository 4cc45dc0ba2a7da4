//! The inputs of the skill: what its steps need and no other step gives.

use std::collections::BTreeSet;

use capstan_schema::{Schema, assignable_projected};
use serde_json::{Value, json};

use super::naming;
use super::steps::{Given, Input, Step, Way};
use super::values::{DEEPEST, depth, type_of};

/// An input of the skill.
pub(super) struct Asked<'s> {
    pub(super) name: String,
    pub(super) schema: Value,
    pub(super) value: Option<&'s Value>,
    /// The input as the steps call it.
    of: &'s str,
    /// Steps with their inputs, by number.
    pub(super) takers: Vec<(usize, usize)>,
}

/// All that is asked for. Steps that were given the same by the same name share it.
pub(super) fn asked<'s>(steps: &'s [Step<'_>]) -> Vec<Asked<'s>> {
    // By its name a step would find it, although nobody gave it that.
    let others: BTreeSet<&str> = steps
        .iter()
        .flat_map(|step| step.others.iter().map(String::as_str))
        .collect();
    let mut all: Vec<Asked<'s>> = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        for (place, input) in step.inputs.iter().enumerate() {
            if *input.way() != Way::Asked {
                continue;
            }
            let schema = schema(input);
            let taker = (number, place);
            if let Some(same) = all
                .iter_mut()
                .find(|it| it.may_serve(&input.given, &schema))
            {
                same.takers.push(taker);
                if !fits(&same.schema, &schema) {
                    same.schema = schema;
                }
                continue;
            }
            let is_taken =
                |name: &str| others.contains(name) || all.iter().any(|it| it.name == name);
            let plain = naming::input(&input.given.name);
            let name = match is_taken(&plain) {
                true => {
                    let long = format!("{}_{plain}", step.name.replace('-', "_"));
                    naming::unique(&long, '_', &is_taken)
                }
                false => plain,
            };
            all.push(Asked {
                name,
                schema,
                value: input.given.value,
                of: &input.given.name,
                takers: vec![taker],
            });
        }
    }
    all
}

impl Asked<'_> {
    fn may_serve(&self, given: &Given<'_>, schema: &Value) -> bool {
        let is_same = self.of == given.name && self.value.is_some() && self.value == given.value;
        is_same && (fits(&self.schema, schema) || fits(schema, &self.schema))
    }

    /// With the value that was observed.
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

fn schema(input: &Input<'_>) -> Value {
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

/// Whether everything that passes one passes the other.
fn fits(from: &Value, to: &Value) -> bool {
    from == to || assignable_projected(Schema::new(from), Schema::new(to)).is_ok()
}
