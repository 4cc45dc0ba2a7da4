//! The words for relations between capabilities.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EdgeKind {
    /// One calls the other.
    Contains,
    /// One usually follows the other.
    Sequence,
    /// One uses what the other gives.
    Dependency,
    /// One does what the other does.
    Alternative,
}

/// Who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EdgeSource {
    Template,
    Inferred,
    Observed,
    Manual,
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

    fn weight(self) -> f64 {
        match self {
            EdgeKind::Dependency => 1.0,
            EdgeKind::Contains => 0.8,
            EdgeKind::Alternative => 0.6,
            EdgeKind::Sequence => 0.5,
        }
    }

    /// How sure a relation of this kind is that comes from there.
    pub fn confidence(self, source: EdgeSource) -> f64 {
        self.weight() * source.modifier()
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

    fn modifier(self) -> f64 {
        match self {
            EdgeSource::Observed | EdgeSource::Manual => 1.0,
            EdgeSource::Inferred => 0.7,
            EdgeSource::Template => 0.5,
        }
    }
}
