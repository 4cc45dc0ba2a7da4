//! What a draft is made from, and what comes of it.

use std::collections::BTreeSet;

use capstan_core::expr::Segment;
use serde_json::{Map, Value};

use crate::{InvalidId, SkillId};

/// A call that was made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    pub capability: String,
    /// What it was called where it was asked for.
    pub step: Option<String>,
    /// Calls with the same number left together.
    pub batch: u32,
    pub ok: bool,
    /// Nothing where it was not kept.
    pub input: Option<Map<String, Value>>,
    /// Inputs that were given, but not kept as they were.
    pub hidden: BTreeSet<String>,
    /// Of which inputs it is known where they came from.
    pub links: Vec<Link>,
    /// Nothing where it was not kept.
    pub output: Option<Value>,
}

/// A place in an input that took its value from what an earlier call gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// As a JSON pointer into the input.
    pub at: String,
    /// The place of the other call in the list.
    pub from: usize,
    /// From what the other call gave.
    pub path: Vec<Segment>,
}

/// What is to become a skill.
#[derive(Clone, Copy, Debug)]
pub struct Sketch<'a> {
    /// In the order in which they were made.
    pub calls: &'a [Observed],
    /// What it is to be called.
    pub id: Option<&'a str>,
    /// What all of it was for.
    pub intent: Option<&'a str>,
    /// Where it comes from, for whoever reads the file: `trace 01kb6x7 of 2026-11-16`.
    pub origin: &'a str,
}

/// A skill file that passes the checker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    pub id: SkillId,
    pub text: String,
    /// What its author should know.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DraftError {
    #[error("there is nothing to make a skill of: {0}")]
    Nothing(String),
    #[error(
        "{0} calls are too many for one skill, at most {most}: draft from a shorter trace",
        most = Observed::MOST
    )]
    TooMany(usize),
    #[error(transparent)]
    Id(#[from] InvalidId),
    #[error("`{0}` is the name of something else: choose another one")]
    Taken(String),
    #[error("no sound skill can be made of it: {0}")]
    Unsound(String),
}

impl Observed {
    /// More steps are no skill that anybody reads.
    pub const MOST: usize = 100;
}
