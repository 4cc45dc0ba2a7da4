//! The kind of a capability, and whether running it changes anything.

use serde::{Deserialize, Serialize};

/// The kind of a capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A GitHub operation.
    Card,
    /// An operation of a downstream MCP server.
    Tool,
    /// TypeScript that an agent wrote.
    Code,
    /// A composition of other capabilities.
    Skill,
    /// An action of Capstan itself.
    System,
}

impl Kind {
    pub const ALL: [Kind; 5] = [
        Kind::Card,
        Kind::Tool,
        Kind::Code,
        Kind::Skill,
        Kind::System,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Card => "card",
            Kind::Tool => "tool",
            Kind::Code => "code",
            Kind::Skill => "skill",
            Kind::System => "system",
        }
    }
}

/// Whether running a capability changes anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Operation {
    Read,
    Write,
}
