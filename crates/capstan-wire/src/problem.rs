//! A mistake in the caller's JSON, with its place. `Display` is for authors of files.

use std::fmt;

/// The first mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The step it is in, counted from 0.
    pub step: Option<usize>,
    /// The capability of that step, if it names one.
    pub task: Option<String>,
    /// The field, dotted; empty for the step as a whole.
    pub field: String,
    /// The text that follows the field: `is missing: expected …`.
    pub problem: String,
}

impl Problem {
    /// Returns a problem with a field of the outermost object. A very long name is cut.
    pub fn new(field: &str, problem: impl Into<String>) -> Self {
        Self {
            step: None,
            task: None,
            field: field.chars().take(LONGEST_NAME).collect(),
            problem: problem.into(),
        }
    }

    /// Moves the problem into a step, counted from 0.
    pub fn in_step(mut self, step: usize, task: Option<&str>) -> Self {
        self.step = Some(step);
        self.task = task.map(str::to_owned);
        self
    }

    /// Returns the field as a path from the outermost object: `steps[3].options.route`.
    pub fn path(&self) -> String {
        match self.step {
            None => self.field.clone(),
            Some(step) if self.field.is_empty() => format!("steps[{step}]"),
            Some(step) => format!("steps[{step}].{}", self.field),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, problem, .. } = self;
        match self.step {
            None => write!(f, "`{field}` {problem}"),
            Some(step) if field.is_empty() => write!(f, "step {step} {problem}"),
            Some(step) => write!(f, "step {step}: `{field}` {problem}"),
        }
    }
}

impl std::error::Error for Problem {}

/// Enough of a name to recognise it.
const LONGEST_NAME: usize = 80;
