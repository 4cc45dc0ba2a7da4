//! The input and the result of drafting a skill.

use std::collections::BTreeSet;

use capstan_core::expr::Segment;
use serde_json::{Map, Value};

use crate::{InvalidId, SkillId};

/// A call that was recorded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObservedCall {
    pub capability: String,
    /// The name of the step in its request.
    pub step: Option<String>,
    /// Calls with the same number were sent together.
    pub batch: u32,
    pub ok: bool,
    /// `None` if it was not recorded.
    pub input: Option<Map<String, Value>>,
    /// Inputs whose values were not recorded as they were passed.
    pub hidden: BTreeSet<String>,
    /// The inputs whose origin is known.
    pub links: Vec<Link>,
    /// `None` if it was not recorded.
    pub output: Option<Value>,
}

/// A place in an input that got its value from the output of an earlier call.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// A JSON pointer into the input.
    pub at: String,
    /// The index of the earlier call in [`DraftRequest::calls`].
    pub from: usize,
    /// The path in the output of the earlier call.
    pub path: Vec<Segment>,
}

/// What to draft a skill from.
#[derive(Clone, Copy, Debug)]
pub struct DraftRequest<'a> {
    /// The calls in the order in which they were made.
    pub calls: &'a [ObservedCall],
    /// The wanted name; chosen automatically if `None`.
    pub id: Option<&'a str>,
    /// The purpose of all calls together.
    pub intent: Option<&'a str>,
    /// The origin of the draft, for readers of the file: `trace 01kb6x7 of 2026-11-16`.
    pub origin: &'a str,
}

/// A skill file that passes the checker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    pub id: SkillId,
    pub text: String,
    /// Remarks for the author.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DraftError {
    #[error("there is nothing to make a skill from: {0}")]
    Nothing(String),
    #[error(
        "a skill can have at most {most} calls, but this trace has {0}: draft from a shorter trace",
        most = ObservedCall::MOST
    )]
    TooMany(usize),
    #[error(transparent)]
    Id(#[from] InvalidId),
    #[error("the name `{0}` is taken: choose another one")]
    Taken(String),
    #[error("no valid skill can be made from it: {0}")]
    Unsound(String),
}

impl ObservedCall {
    /// The largest number of steps of a draft; nobody would read a longer skill.
    pub const MOST: usize = 100;
}
