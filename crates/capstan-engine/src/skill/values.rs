//! What is known while a skill runs: the input of each composite, and what its steps gave.

use serde_json::{Map, Value};

use capstan_core::expr::{Expr, Scope};
use capstan_schema::{Schema, project};
use capstan_skill::{Given, Plan, SpreadStep};

/// The names of one composite: `input`, and each step that is over.
pub(super) struct Values {
    scopes: Vec<Map<String, Value>>,
}

impl Values {
    pub(super) fn new(plan: &Plan, input: Value) -> Self {
        let mut values = Self {
            scopes: vec![Map::new(); plan.scopes.len()],
        };
        values.begin(0, input);
        values
    }

    /// A composite has its input.
    pub(super) fn begin(&mut self, scope: usize, input: Value) {
        self.scopes[scope].insert("input".to_owned(), input);
    }

    pub(super) fn input(&self, scope: usize) -> Map<String, Value> {
        let input = self.scopes[scope].get("input").and_then(Value::as_object);
        input.cloned().unwrap_or_default()
    }

    pub(super) fn output(&self, scope: usize, step: &str) -> Value {
        let mut at = Some(&self.scopes[scope]);
        for part in step.split('.') {
            at = at.and_then(|at| at.get(part)).and_then(Value::as_object);
        }
        at.and_then(|at| at.get("output"))
            .cloned()
            .unwrap_or_default()
    }

    /// A step gave something. A name with dots is a way through objects, as expressions walk it.
    pub(super) fn give(&mut self, scope: usize, step: &str, output: Value) {
        let mut at = &mut self.scopes[scope];
        for part in step.split('.') {
            let next = at
                .entry(part.to_owned())
                .or_insert_with(|| Value::Object(Map::new()));
            let Value::Object(fields) = next else {
                return;
            };
            at = fields;
        }
        at.insert("output".to_owned(), output);
    }

    pub(super) fn holds(&self, scope: usize, condition: &Expr) -> bool {
        condition.holds(&Scope::new(&Value::Null, &self.scopes[scope]))
    }

    /// The fields of everything that these steps gave, the last by each name. What a skipped step would have given
    /// stays absent.
    pub(super) fn spread(&self, scope: usize, steps: &[SpreadStep]) -> Map<String, Value> {
        let mut fields = Map::new();
        for SpreadStep { name, renamed } in steps {
            match self.output(scope, name) {
                Value::Object(given) => {
                    let new_name = |old: String| {
                        let new = renamed.iter().find(|(name, _)| *name == old);
                        new.map_or(old, |(_, new)| new.clone())
                    };
                    fields.extend(given.into_iter().map(|(old, it)| (new_name(old), it)));
                }
                Value::Null => {}
                other => {
                    fields.insert(name.clone(), other);
                }
            }
        }
        fields
    }

    /// An object, field by field. What is absent stays absent.
    pub(super) fn make(&self, scope: usize, fields: &[(String, Given)]) -> Map<String, Value> {
        let names = Scope::new(&Value::Null, &self.scopes[scope]);
        let made = fields
            .iter()
            .filter_map(|(name, given)| Some((name.clone(), given.eval(&names)?)));
        made.collect()
    }
}

/// A value reduced to what its schema names: that is what was checked.
pub(crate) fn projected(value: Value, schema: Option<&Value>) -> Value {
    match schema {
        Some(schema) => project(&value, Schema::new(schema)),
        None => value,
    }
}
