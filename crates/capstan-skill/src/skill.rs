//! A skill as written in its file, read but not yet checked against other skills.

use std::sync::Arc;
use std::time::Duration;

use capstan_core::expr::Expr;
use capstan_core::{Diagnostic, ErrorCode, Source, Span};
use serde_json::Value;

use crate::codes::MALFORMED;
use crate::{Given, Places, Range, SkillId, Version};

#[derive(Clone, Debug, PartialEq)]
pub struct Skill {
    pub id: SkillId,
    pub version: Version,
    pub level: Level,
    pub description: String,
    /// What an L1 skill runs.
    pub runs: Option<Placed<Runs>>,
    pub composes: Vec<Compose>,
    pub execution: Vec<Block>,
    pub requires: Vec<Requirement>,
    pub input_schema: Option<Placed<Value>>,
    pub output_schema: Option<Placed<Value>>,
    /// The explicit sources of output fields. Other fields are found by name.
    pub outputs: Vec<(Placed<String>, Placed<Given>)>,
    pub effects: Option<Placed<Vec<String>>>,
    pub operation: Option<Placed<OperationClass>>,
    pub retry: Option<Retry>,
    pub timeout: Option<Duration>,
    /// Whether its result may be reused within one run.
    pub cached: bool,
    pub deprecated: Option<Deprecation>,
    /// Newest first.
    pub changelog: Vec<ChangelogEntry>,
    /// Phrases with which people ask for it.
    pub intents: Vec<String>,
    pub origin: Origin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Atomic: runs one capability.
    L1,
    /// Composite: composes L1 skills.
    L2,
    /// Workflow: composes L1 and L2 skills.
    L3,
}

/// What an L1 skill runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Runs {
    Card(String),
    /// A tool as `server.tool`.
    Tool(String),
    /// Remembered code, by its name.
    Capability(String),
    /// TypeScript code.
    Code(String),
}

/// A value with its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed<T> {
    pub value: T,
    pub span: Span,
}

/// An entry of `composes`.
#[derive(Clone, Debug, PartialEq)]
pub struct Compose {
    pub skill: Placed<String>,
    /// The name of the step; defaults to the name of the skill.
    pub name: Option<Placed<String>>,
    pub version: Option<Placed<Range>>,
    /// Pairs of the name of an available value and the input that receives it.
    pub input_mapping: Vec<(Placed<String>, Placed<String>)>,
    /// Pairs of the name of an output and the name that other steps use for it.
    pub output_mapping: Vec<(Placed<String>, Placed<String>)>,
    pub inputs: Vec<(Placed<String>, Placed<Given>)>,
}

/// An entry of `execution`. Entries run one after the other.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    Step(Box<StepBlock>),
    /// Blocks that run in parallel.
    Parallel(Vec<Block>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct StepBlock {
    pub step: Placed<String>,
    pub inputs: Vec<(Placed<String>, Placed<Given>)>,
    pub condition: Option<Condition>,
    pub retry: Option<Retry>,
    pub timeout: Option<Duration>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    pub text: String,
    pub expr: Expr,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Requirement {
    pub skill: Placed<String>,
    pub version: Placed<Range>,
}

/// When a failed step is tried again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retry {
    /// The number of attempts, including the first.
    pub max_attempts: u32,
    pub backoff: Backoff,
    /// The length of the first pause.
    pub delay: Duration,
    /// The failures after which the step is tried again.
    pub retry_on: Vec<ErrorCode>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backoff {
    None,
    Fixed,
    Linear,
    Exponential,
}

/// What running a capability does to the world, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OperationClass {
    Transform,
    Read,
    Write,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deprecation {
    pub since: String,
    /// The last day of use, such as `2027-01-31`.
    pub sunset: Option<Placed<String>>,
    pub replacement: Option<String>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangelogEntry {
    pub version: String,
    pub text: String,
}

/// Where a skill is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    pub source: Arc<Source>,
    pub id: Span,
    pub level: Span,
    /// The part of the source that is this skill. A file may contain several.
    pub document: Span,
    /// Whether everything in the document could be read, so that a missing field was really left out by the
    /// author.
    pub is_whole: bool,
    /// The errors in its file. A skill with an error is never run: the part that could not be read may have
    /// been meant to prevent a write.
    pub errors: Vec<Diagnostic>,
    /// Whether it comes from a folder that only `capstan.toml` in the current folder names, so that anybody
    /// may have written it.
    pub is_from_folder: bool,
    /// The places of the properties in `input_schema`.
    pub inputs: Places,
    /// The places of the properties in `output_schema`.
    pub outputs: Places,
}

impl Skill {
    /// Returns the TypeScript code in the skill, if it runs any.
    pub fn inline_code(&self) -> Option<&str> {
        match &self.runs.as_ref()?.value {
            Runs::Code(code) => Some(code),
            Runs::Card(_) | Runs::Tool(_) | Runs::Capability(_) => None,
        }
    }

    /// Returns the diagnostic for a skill whose `code` cannot be run.
    pub fn code_error(&self, why: &str) -> Diagnostic {
        let span = self.runs.as_ref().map(|runs| runs.span);
        let message = format!("`code` cannot be run: {why}");
        Diagnostic::error(MALFORMED, &self.origin.source, message).at(span)
    }

    /// Returns the id with the version: `user-lookup@1.2.0`.
    pub fn full_name(&self) -> String {
        format!("{}@{}", self.id, self.version)
    }
}

impl Origin {
    /// Whether a diagnostic is about this skill, and not about another one in the same file.
    pub(crate) fn covers(&self, found: &Diagnostic) -> bool {
        let is_inside = |span: Span| (self.document.start..self.document.end).contains(&span.start);
        Arc::ptr_eq(&self.source, &found.source) && found.span.is_none_or(is_inside)
    }
}

impl Compose {
    /// Returns the name of the step in the skill.
    pub fn step_name(&self) -> &str {
        let name = self.name.as_ref().unwrap_or(&self.skill);
        &name.value
    }
}

impl Level {
    pub fn number(self) -> u8 {
        match self {
            Level::L1 => 1,
            Level::L2 => 2,
            Level::L3 => 3,
        }
    }
}

impl Runs {
    pub fn key(&self) -> &'static str {
        match self {
            Runs::Card(_) => "card",
            Runs::Tool(_) => "tool",
            Runs::Capability(_) => "capability",
            Runs::Code(_) => "code",
        }
    }
}

impl OperationClass {
    pub const ALL: [OperationClass; 3] = [
        OperationClass::Transform,
        OperationClass::Read,
        OperationClass::Write,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            OperationClass::Transform => "TRANSFORM",
            OperationClass::Read => "READ",
            OperationClass::Write => "WRITE",
        }
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "L{}", self.number())
    }
}
