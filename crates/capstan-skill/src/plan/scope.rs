//! The composites of a plan.

use std::sync::Arc;

use serde_json::Value;

use crate::Given;

/// One composite: names of its own, between a beginning and an end.
#[derive(Clone, Debug)]
pub struct Scope {
    /// From the top: `fetch`, nothing for the skill itself.
    pub path: String,
    pub skill: String,
    pub input: Option<Arc<Value>>,
    /// The output, field by field: expressions over `$input` and `$step.output`.
    pub outputs: Vec<(String, Given)>,
    /// Where some steps do not say in advance what they give: all steps in their order. The fields of their results
    /// are the output.
    pub spread: Vec<SpreadStep>,
    pub output: Option<Arc<Value>>,
}

/// A step whose result adds its fields to the output of the composite. A result that is no object is one field,
/// called like the step.
#[derive(Clone, Debug)]
pub struct SpreadStep {
    pub name: String,
    /// What `output_mapping` calls its fields: the old name and the new one.
    pub renamed: Vec<(String, String)>,
}
