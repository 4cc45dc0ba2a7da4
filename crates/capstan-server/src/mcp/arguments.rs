//! The arguments of a tool call. The model sees problems with them as an error result of the call.

use serde_json::{Map, Value, json};

use capstan_core::code::LONGEST_INTENT;
use capstan_core::{ErrorCode, ResultError};
use capstan_wire::{Fields, Problem};

/// The arguments that were not taken yet.
#[derive(Debug)]
pub(super) struct ToolArguments {
    tool: &'static str,
    fields: Fields,
}

impl ToolArguments {
    pub(super) fn new(tool: &'static str, given: Map<String, Value>) -> Self {
        Self {
            tool,
            fields: Fields::new(given),
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.fields.has(name)
    }

    /// Takes a value with a function that reads fields, and turns its problem into the error of the call.
    pub(super) fn take_with<T>(
        &mut self,
        take: impl FnOnce(&mut Fields) -> Result<T, Problem>,
    ) -> Result<T, ResultError> {
        take(&mut self.fields).map_err(|problem| argument_error(self.tool, &problem))
    }

    pub(super) fn take_text(&mut self, names: &[&str]) -> Result<Option<String>, ResultError> {
        self.take_with(|fields| fields.take_text(names))
    }

    /// Takes the name of a capability.
    pub(super) fn take_name(&mut self, names: &[&str]) -> Result<Option<String>, ResultError> {
        self.take_with(|fields| fields.take_name(names))
    }

    /// Takes `intent`: what the caller wants to do, in words.
    pub(super) fn take_intent(&mut self) -> Result<Option<String>, ResultError> {
        self.take_with(|fields| fields.take_short(&["intent"], LONGEST_INTENT))
    }

    pub(super) fn take_object(
        &mut self,
        names: &[&str],
    ) -> Result<Option<Map<String, Value>>, ResultError> {
        self.take_with(|fields| fields.take_object(names))
    }

    pub(super) fn take_count(&mut self, name: &str) -> Result<Option<usize>, ResultError> {
        self.take_with(|fields| fields.take_count(name))
    }

    /// Reports the first argument that was not taken. `advice` is appended to the message and says where
    /// it may belong.
    pub(super) fn finish(self, known: &[&str], advice: &str) -> Result<(), ResultError> {
        let tool = self.tool;
        let what = format!("an argument of {tool}");
        let finished = self.fields.finish(&what, known, advice);
        finished.map_err(|problem| argument_error(tool, &problem))
    }

    /// Returns the error for a required argument that is missing.
    pub(super) fn missing(&self, name: &str, expected: &str) -> ResultError {
        argument_error(self.tool, &self.fields.missing(name, expected))
    }

    /// Returns the error for an argument with this problem.
    pub(super) fn problem(&self, name: &str, problem: &str) -> ResultError {
        argument_error(self.tool, &self.fields.problem(name, problem))
    }
}

/// Returns the error of a call to `tool` with a bad argument.
pub(super) fn argument_error(tool: &str, problem: &Problem) -> ResultError {
    let (field, what) = (problem.path(), &problem.problem);
    let message = format!("bad arguments for {tool}: `{field}` {what}");
    ResultError::new(ErrorCode::Validation, message)
        .with_detail("fields", vec![json!({"field": field, "problem": what})])
}
