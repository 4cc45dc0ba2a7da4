//! The arguments of a tool call. What is wrong with them is told to the model as an error of the run.

use serde_json::{Map, Value, json};

use capstan_core::code::LONGEST_INTENT;
use capstan_core::{ErrorCode, ResultError};
use capstan_wire::{Fields, Problem};

/// The arguments that were not read yet.
#[derive(Debug)]
pub(super) struct Arguments {
    tool: &'static str,
    fields: Fields,
}

impl Arguments {
    pub(super) fn new(tool: &'static str, given: Map<String, Value>) -> Self {
        Self {
            tool,
            fields: Fields::new(given),
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.fields.has(name)
    }

    /// Reads something; what is wrong with it is an error of the call.
    pub(super) fn read<T>(
        &mut self,
        read: impl FnOnce(&mut Fields) -> Result<T, Problem>,
    ) -> Result<T, ResultError> {
        read(&mut self.fields).map_err(|problem| refusal(self.tool, &problem))
    }

    pub(super) fn take_text(&mut self, names: &[&str]) -> Result<Option<String>, ResultError> {
        self.read(|fields| fields.take_text(names))
    }

    /// The name of a capability.
    pub(super) fn take_name(&mut self, names: &[&str]) -> Result<Option<String>, ResultError> {
        self.read(|fields| fields.take_name(names))
    }

    /// What the caller wants, in words.
    pub(super) fn take_intent(&mut self) -> Result<Option<String>, ResultError> {
        self.read(|fields| fields.take_short(&["intent"], LONGEST_INTENT))
    }

    pub(super) fn take_object(
        &mut self,
        names: &[&str],
    ) -> Result<Option<Map<String, Value>>, ResultError> {
        self.read(|fields| fields.take_object(names))
    }

    pub(super) fn take_count(&mut self, name: &str) -> Result<Option<usize>, ResultError> {
        self.read(|fields| fields.take_count(name))
    }

    /// Nothing may be left. `advice` says where a stray argument may belong.
    pub(super) fn finish(self, known: &[&str], advice: &str) -> Result<(), ResultError> {
        let tool = self.tool;
        let what = format!("an argument of {tool}");
        let finished = self.fields.finish(&what, known, advice);
        finished.map_err(|problem| refusal(tool, &problem))
    }

    pub(super) fn missing(&self, name: &str, expected: &str) -> ResultError {
        refusal(self.tool, &self.fields.missing(name, expected))
    }

    pub(super) fn refuse(&self, name: &str, problem: &str) -> ResultError {
        refusal(self.tool, &self.fields.problem(name, problem))
    }
}

/// The error of a call whose arguments are wrong.
pub(super) fn refusal(tool: &str, problem: &Problem) -> ResultError {
    let (field, what) = (problem.path(), &problem.problem);
    let message = format!("bad arguments for {tool}: `{field}` {what}");
    ResultError::new(ErrorCode::Validation, message)
        .with_detail("fields", vec![json!({"field": field, "problem": what})])
}
