//! What is stored about code: its content (pattern), its name in a scope (record), and its
//! statistics.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{CodeHash, DisplayName, Fqdn, Scope, Visibility};

/// Milliseconds since 1970.
pub type Timestamp = i64;

/// A record with its pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Capability {
    pub record: Record,
    pub pattern: Pattern,
}

/// The name of a capability in a scope.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub fqdn: Fqdn,
    pub scope: Scope,
    pub namespace: String,
    /// `exec_` and the first eight digits of the hash, or more if the scope has those already. It
    /// is the short form of the FQDN, which agents see as the id.
    pub action: String,
    pub name: DisplayName,
    /// Former and additional names, oldest first.
    pub aliases: Vec<DisplayName>,
    pub visibility: Visibility,
    pub owner: String,
    pub statistics: Statistics,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// The content of a record, and of this one only. Somebody who wrote the same code elsewhere sees
/// nothing that others wrote in it or about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    pub hash: CodeHash,
    /// The code as it was first written.
    pub code: String,
    pub intent: String,
    /// The JSON Schema of `args`.
    pub parameters: Value,
    /// The capabilities that it calls, in the order of the code.
    pub calls: Vec<String>,
    /// The calls that only failed in the run that registered the code.
    pub failed_calls: Vec<String>,
    pub created_at: Timestamp,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    pub usage_count: u64,
    pub success_count: u64,
    pub mean_latency_ms: f64,
    pub last_used_at: Option<Timestamp>,
}

impl Statistics {
    /// Returns the statistics after one more use.
    #[must_use]
    pub fn with(self, used: &Use) -> Self {
        let usage_count = self.usage_count + 1;
        let share = (used.latency_ms - self.mean_latency_ms) / usage_count as f64;
        Self {
            usage_count,
            success_count: self.success_count + u64::from(used.ok),
            mean_latency_ms: self.mean_latency_ms + share,
            last_used_at: self.last_used_at.max(Some(used.at)),
        }
    }

    /// Returns the sum of both statistics.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        let usage_count = self.usage_count + other.usage_count;
        let total = |it: Self| it.mean_latency_ms * it.usage_count as f64;
        Self {
            usage_count,
            success_count: self.success_count + other.success_count,
            mean_latency_ms: (total(self) + total(other)) / (usage_count.max(1)) as f64,
            last_used_at: self.last_used_at.max(other.last_used_at),
        }
    }
}

/// The result of one use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Use {
    pub ok: bool,
    pub latency_ms: f64,
    pub at: Timestamp,
}

/// An event in the history of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub at: Timestamp,
    pub kind: EventKind,
    /// What changed, in short: `unnamed_a7f3b2c1 → my-reader`.
    pub what: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EventKind {
    Created,
    Imported,
    Renamed,
    Aliased,
    Shared,
    Merged,
}
