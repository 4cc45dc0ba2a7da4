//! Composites of a plan.

use std::sync::Arc;

use serde_json::Value;

use crate::Given;

/// A composite. It has its own names, and a node each for its beginning and end.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The path from the top, such as `fetch`; empty for the skill itself.
    pub path: String,
    pub skill: String,
    pub input: Option<Arc<Value>>,
    /// The fields of the output, as expressions over `$input` and `$step.output`.
    pub outputs: Vec<(String, Given)>,
    /// All steps in order, if the outputs of some are not known in advance; otherwise empty. The fields of
    /// their results are then the output.
    pub spread: Vec<SpreadStep>,
    pub output: Option<Arc<Value>>,
}

/// A step whose result adds its fields to the output of the composite. A result that is not an object becomes
/// one field with the name of the step.
#[derive(Clone, Debug)]
pub struct SpreadStep {
    pub name: String,
    /// The fields that `output_mapping` renames, as pairs of old and new name.
    pub renamed: Vec<(String, String)>,
}
