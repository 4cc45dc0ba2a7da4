//! The types of relations between capabilities.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Fqdn, Timestamp, TraceId};

/// A node of a relation: code by its full name, everything else by its id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Node {
    Code(Fqdn),
    Named(String),
}

/// A relation: `from` contains, precedes, uses or replaces `to`. There is at most one per ordered
/// pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    pub from: Node,
    pub to: Node,
    pub kind: EdgeKind,
    pub source: EdgeSource,
    /// How often it was observed or declared.
    pub observed: u64,
    pub created_at: Timestamp,
    pub last_observed: Timestamp,
}

/// What one execution shows about two capabilities, or what they have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    pub from: Node,
    pub to: Node,
    pub kind: EdgeKind,
    /// How often it occurred in this trace.
    pub times: u64,
    pub evidence: Evidence,
}

/// The reason for an observation, without the values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// One was called within the other.
    Called,
    /// One began after the other had ended.
    Followed,
    /// The session executed one after the other.
    FollowedInSession,
    /// Values were passed from places in one's output to places in the other's input.
    PassedOn(Vec<Passed>),
    /// The capabilities that both call.
    SharedCalls(Vec<String>),
    /// The similarity of their intents, from 0 to 1.
    AlikeIntents(f64),
}

/// A value that was passed between two calls: where it came from, and where it was used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Passed {
    /// A JSON pointer into the output.
    pub output: String,
    /// A JSON pointer into the input.
    pub input: String,
}

/// A stored observation.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    pub kind: EdgeKind,
    pub times: u64,
    pub evidence: Evidence,
    /// The trace that showed it; `None` if it needed no execution.
    pub trace: Option<TraceId>,
    pub at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EdgeKind {
    /// One calls the other.
    Contains,
    /// One usually follows the other.
    Sequence,
    /// One uses the output of the other.
    Dependency,
    /// One can replace the other.
    Alternative,
}

/// The source of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EdgeSource {
    Template,
    Inferred,
    Observed,
    Manual,
}

impl Node {
    pub fn as_str(&self) -> &str {
        match self {
            Node::Code(fqdn) => fqdn.as_str(),
            Node::Named(id) => id,
        }
    }

    pub fn code(&self) -> Option<&Fqdn> {
        match self {
            Node::Code(fqdn) => Some(fqdn),
            Node::Named(_) => None,
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<Fqdn> for Node {
    fn from(fqdn: Fqdn) -> Self {
        Node::Code(fqdn)
    }
}

impl Edge {
    /// Returns the confidence, which follows from kind and source.
    pub fn confidence(&self) -> f64 {
        self.kind.confidence(self.source)
    }
}

impl EdgeKind {
    pub const ALL: [EdgeKind; 4] = [
        EdgeKind::Contains,
        EdgeKind::Sequence,
        EdgeKind::Dependency,
        EdgeKind::Alternative,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            EdgeKind::Contains => "contains",
            EdgeKind::Sequence => "sequence",
            EdgeKind::Dependency => "dependency",
            EdgeKind::Alternative => "alternative",
        }
    }

    /// The weight in tenths.
    fn weight(self) -> u8 {
        match self {
            EdgeKind::Dependency => 10,
            EdgeKind::Contains => 8,
            EdgeKind::Alternative => 6,
            EdgeKind::Sequence => 5,
        }
    }

    /// Returns the confidence of a relation of this kind and source, rounded to whole hundredths:
    /// 0.8 times 0.7 would be less than the 0.56 that is shown.
    pub fn confidence(self, source: EdgeSource) -> f64 {
        f64::from(self.weight() * source.modifier()) / 100.0
    }
}

impl EdgeSource {
    pub const ALL: [EdgeSource; 4] = [
        EdgeSource::Template,
        EdgeSource::Inferred,
        EdgeSource::Observed,
        EdgeSource::Manual,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            EdgeSource::Template => "template",
            EdgeSource::Inferred => "inferred",
            EdgeSource::Observed => "observed",
            EdgeSource::Manual => "manual",
        }
    }

    /// The modifier in tenths.
    fn modifier(self) -> u8 {
        match self {
            EdgeSource::Observed | EdgeSource::Manual => 10,
            EdgeSource::Inferred => 7,
            EdgeSource::Template => 5,
        }
    }
}

impl std::str::FromStr for EdgeKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|kind| kind.as_str() == text);
        found.ok_or_else(|| {
            let known = Self::ALL.map(Self::as_str).join(", ");
            format!("`{text}` is not a relation type: expected one of {known}")
        })
    }
}

impl std::str::FromStr for EdgeSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|it| it.as_str() == text);
        found.ok_or_else(|| {
            let known = Self::ALL.map(Self::as_str).join(", ");
            format!("`{text}` is not a relation source: expected one of {known}")
        })
    }
}
