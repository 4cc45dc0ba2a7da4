//! What the steps that are over found, as the expressions and inputs of later steps name it.

use serde_json::{Map, Value, json};

use capstan_core::ChainStep;
use capstan_core::expr::{Expr, Scope};
use capstan_exec::reference;

use crate::step_result::StepResult;

/// The steps of a chain, and how those went that are over.
pub(super) struct EarlierResults<'a> {
    pub(super) steps: &'a [ChainStep],
    pub(super) results: Vec<Option<StepResult>>,
}

impl EarlierResults<'_> {
    /// The number of an earlier step that is called so, by name or by number.
    pub(super) fn number(&self, called: &str) -> Option<usize> {
        number(self.steps, called)
    }

    pub(super) fn result(&self, step: usize) -> Option<&StepResult> {
        self.results.get(step)?.as_ref()
    }

    /// What a step found; nothing if it is not over, or failed.
    pub(super) fn data(&self, step: usize) -> Option<&Value> {
        self.result(step)?.data()
    }

    /// Whether a condition holds of what was found. `$checks.failed` and `$checks.data.failed` mean the same.
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

    /// An input whose references to steps of earlier stages are filled in. The error names the step that did not
    /// succeed, or the reference that has no value.
    pub(super) fn filled_in(
        &self,
        input: Map<String, Value>,
        is_over: impl Fn(usize) -> bool,
    ) -> Result<Map<String, Value>, Unfilled> {
        let mut problem = None;
        let filled = reference::replaced(Value::Object(input), &mut |named| {
            let step = self.number(named.step).filter(|step| is_over(*step))?;
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

/// Why an input could not be filled in.
pub(super) enum Unfilled {
    /// It refers to a step that failed.
    Failed(usize),
    /// It refers to something that is not there.
    NoValue(String),
}

/// The number of the step that is called so, by name or by number.
pub(super) fn number(steps: &[ChainStep], called: &str) -> Option<usize> {
    let called = called.trim_start_matches('$');
    let named = |step: &ChainStep| step.name.as_deref() == Some(called);
    steps.iter().position(named).or_else(|| {
        let number: usize = called.parse().ok()?;
        (number < steps.len()).then_some(number)
    })
}
