//! The values of a running skill: the input of each composite, and the outputs of its steps.

use serde_json::{Map, Value};

use capstan_core::expr::{Expr, Scope};
use capstan_schema::{Schema, project};
use capstan_skill::{Given, Plan, SpreadStep};

/// The values of all composites of a plan. Each composite has a scope with `input` and one name per finished step.
pub(super) struct Values {
    scopes: Vec<Map<String, Value>>,
}

impl Values {
    pub(super) fn new(plan: &Plan, input: Value) -> Self {
        let mut values = Self {
            scopes: vec![Map::new(); plan.scopes.len()],
        };
        values.set_input(0, input);
        values
    }

    /// Sets the input of a composite.
    pub(super) fn set_input(&mut self, scope: usize, input: Value) {
        self.scopes[scope].insert("input".to_owned(), input);
    }

    /// Returns the input of a composite; empty if it has not begun.
    pub(super) fn input(&self, scope: usize) -> Map<String, Value> {
        let input = self.scopes[scope].get("input").and_then(Value::as_object);
        input.cloned().unwrap_or_default()
    }

    /// Returns the output of a step; null if it has none.
    pub(super) fn output(&self, scope: usize, step: &str) -> Value {
        let mut at = Some(&self.scopes[scope]);
        for part in step.split('.') {
            at = at.and_then(|at| at.get(part)).and_then(Value::as_object);
        }
        at.and_then(|at| at.get("output"))
            .cloned()
            .unwrap_or_default()
    }

    /// Sets the output of a step. A name with dots becomes nested objects, because expressions read it so.
    pub(super) fn set_output(&mut self, scope: usize, step: &str, output: Value) {
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

    /// Returns whether a condition holds in a scope.
    pub(super) fn holds(&self, scope: usize, condition: &Expr) -> bool {
        condition.holds(&Scope::new(&Value::Null, &self.scopes[scope]))
    }

    /// Returns the fields of the outputs of these steps; of fields with the same name, the last. Skipped steps add
    /// nothing.
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

    /// Evaluates the fields of an object. Fields without a value are left out.
    pub(super) fn evaluate(&self, scope: usize, fields: &[(String, Given)]) -> Map<String, Value> {
        let names = Scope::new(&Value::Null, &self.scopes[scope]);
        let made = fields
            .iter()
            .filter_map(|(name, given)| Some((name.clone(), given.eval(&names)?)));
        made.collect()
    }
}

/// Returns a value reduced to the fields that its schema names, because only those were checked.
pub(crate) fn projected(value: Value, schema: Option<&Value>) -> Value {
    match schema {
        Some(schema) => project(&value, Schema::new(schema)),
        None => value,
    }
}
