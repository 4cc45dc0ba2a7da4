//! A skill as its file says it, read but not yet checked against other skills.

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
    /// Where the fields of the output come from, where their names do not say it.
    pub outputs: Vec<(Placed<String>, Placed<Given>)>,
    pub effects: Option<Placed<Vec<String>>>,
    pub operation: Option<Placed<OperationClass>>,
    pub retry: Option<Retry>,
    pub timeout: Option<Duration>,
    /// Its result may serve again within one run.
    pub cached: bool,
    pub deprecated: Option<Deprecation>,
    /// Newest first.
    pub changelog: Vec<Change>,
    /// Ways people ask for it.
    pub intents: Vec<String>,
    pub origin: Origin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Atomic: one operation.
    L1,
    /// Composite: several of L1.
    L2,
    /// Workflow: of L1 and L2.
    L3,
}

/// What an L1 skill is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Runs {
    Card(String),
    /// `server.tool`
    Tool(String),
    /// Remembered code, by its name.
    Capability(String),
    /// TypeScript.
    Code(String),
}

/// A value and where it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed<T> {
    pub value: T,
    pub span: Span,
}

/// Something that a skill is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Compose {
    pub skill: Placed<String>,
    /// What it is called here; else as the skill.
    pub name: Option<Placed<String>>,
    pub version: Option<Placed<Range>>,
    /// From the name of a value that is there to the input that it is for.
    pub input_mapping: Vec<(Placed<String>, Placed<String>)>,
    /// From the name that an output has to the name by which others find it.
    pub output_mapping: Vec<(Placed<String>, Placed<String>)>,
    pub inputs: Vec<(Placed<String>, Placed<Given>)>,
}

/// One entry of `execution`. Entries follow each other.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    Step(Box<StepBlock>),
    /// Side by side.
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

/// When something that failed is tried again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retry {
    /// The first one included.
    pub max_attempts: u32,
    pub backoff: Backoff,
    /// How long the first pause is.
    pub delay: Duration,
    /// Which failures are tried again.
    pub retry_on: Vec<ErrorCode>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backoff {
    None,
    Fixed,
    Linear,
    Exponential,
}

/// What running something does to the world, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OperationClass {
    Transform,
    Read,
    Write,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deprecation {
    pub since: String,
    /// A day: `2027-01-31`.
    pub sunset: Option<Placed<String>>,
    pub replacement: Option<String>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub version: String,
    pub text: String,
}

/// Where a skill is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    pub source: Arc<Source>,
    pub id: Span,
    pub level: Span,
    /// The part of the source that is this skill: a file may hold several.
    pub document: Span,
    /// Everything in it could be read: what is not there was left out by its author.
    pub is_whole: bool,
    /// What its file says that cannot be meant. A skill with an error is never run: what could not be
    /// read may be what was to keep it from writing.
    pub errors: Vec<Diagnostic>,
    /// It comes with a folder that nobody named, so anybody may have written it.
    pub is_found: bool,
    /// Of what `input_schema` describes.
    pub inputs: Places,
    /// Of what `output_schema` describes.
    pub outputs: Places,
}

impl Skill {
    /// The TypeScript that stands in the skill, if it runs any.
    pub fn inline_code(&self) -> Option<&str> {
        match &self.runs.as_ref()?.value {
            Runs::Code(code) => Some(code),
            Runs::Card(_) | Runs::Tool(_) | Runs::Capability(_) => None,
        }
    }

    /// The error of a skill whose `code` cannot be run, with the reason.
    pub fn code_error(&self, why: &str) -> Diagnostic {
        let span = self.runs.as_ref().map(|runs| runs.span);
        let message = format!("`code` cannot be run: {why}");
        Diagnostic::error(MALFORMED, &self.origin.source, message).at(span)
    }

    /// `user-lookup@1.2.0`
    pub fn full_name(&self) -> String {
        format!("{}@{}", self.id, self.version)
    }
}

impl Origin {
    /// Whether something was found in the text of this skill, and not of another one in the same file.
    pub(crate) fn covers(&self, found: &Diagnostic) -> bool {
        let is_inside = |span: Span| (self.document.start..self.document.end).contains(&span.start);
        Arc::ptr_eq(&self.source, &found.source) && found.span.is_none_or(is_inside)
    }
}

impl Compose {
    /// What it is called in the skill.
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
