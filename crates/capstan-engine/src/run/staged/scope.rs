//! The results of earlier steps, as the expressions and inputs of later steps refer to them.

use serde_json::{Map, Value, json};

use capstan_core::ChainStep;
use capstan_core::expr::{Expr, Scope};
use capstan_exec::reference;

use crate::step_result::StepResult;

/// The steps of a chain, and the results of those that have finished.
pub(super) struct EarlierResults<'a> {
    pub(super) steps: &'a [ChainStep],
    pub(super) results: Vec<Option<StepResult>>,
}

impl EarlierResults<'_> {
    /// Returns the index of the step with this name or number.
    pub(super) fn step_index(&self, called: &str) -> Option<usize> {
        step_index(self.steps, called)
    }

    pub(super) fn result(&self, step: usize) -> Option<&StepResult> {
        self.results.get(step)?.as_ref()
    }

    /// Returns the data of a step; `None` if it has not finished or has failed.
    pub(super) fn data(&self, step: usize) -> Option<&Value> {
        self.result(step)?.data()
    }

    /// Returns whether a condition holds for the earlier results. `$checks.failed` and `$checks.data.failed` mean the
    /// same.
    pub(super) fn holds(&self, condition: &Expr) -> bool {
        let mut variables = Map::new();
        for (index, step) in self.steps.iter().enumerate() {
            let Some(result) = self.result(index) else {
                continue;
            };
            let mut value = Map::from_iter([("ok".to_owned(), json!(result.is_ok()))]);
            if let Some(data) = result.data() {
                value.insert("data".to_owned(), data.clone());
                for (name, field) in data.as_object().into_iter().flatten() {
                    value.entry(name).or_insert_with(|| field.clone());
                }
            }
            for name in step.name.iter().cloned().chain([index.to_string()]) {
                variables.insert(name, Value::Object(value.clone()));
            }
        }
        condition.holds(&Scope::new(&Value::Null, &variables))
    }

    /// Returns an input with its references to steps of earlier stages replaced by values. `is_over` says which steps
    /// these are. The error names the step that did not succeed, or the reference that has no value.
    pub(super) fn filled_in(
        &self,
        input: Map<String, Value>,
        is_over: impl Fn(usize) -> bool,
    ) -> Result<Map<String, Value>, Unfilled> {
        let mut problem = None;
        let filled = reference::replaced(Value::Object(input), &mut |named| {
            let step = self.step_index(named.step).filter(|step| is_over(*step))?;
            if self.result(step).is_none_or(|result| !result.is_ok()) {
                problem.get_or_insert(Unfilled::Failed(step));
                return None;
            }
            let value = self.data(step).and_then(|data| named.value_in(data));
            if value.is_none() {
                let text = named.text().to_owned();
                problem.get_or_insert(Unfilled::NoValue(text));
            }
            value
        });
        match problem {
            Some(problem) => Err(problem),
            None => Ok(filled.as_object().cloned().unwrap_or_default()),
        }
    }
}

/// Why the references of an input could not be replaced.
pub(super) enum Unfilled {
    /// The input refers to a step that failed.
    Failed(usize),
    /// The text of a reference to something that does not exist.
    NoValue(String),
}

/// Returns the index of the step with this name or number, with or without a leading `$`.
pub(super) fn step_index(steps: &[ChainStep], called: &str) -> Option<usize> {
    let called = called.trim_start_matches('$');
    let named = |step: &ChainStep| step.name.as_deref() == Some(called);
    steps.iter().position(named).or_else(|| {
        let number: usize = called.parse().ok()?;
        (number < steps.len()).then_some(number)
    })
}
