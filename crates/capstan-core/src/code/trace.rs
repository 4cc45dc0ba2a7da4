//! The log of one execution, for people to read and for the graph to learn from.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ConsoleLine, Fqdn, Node, Timestamp};
use crate::{ErrorCode, Outcome};

/// The id of a trace, which sorts by time: the milliseconds of its start as ten digits of base 32,
/// then random digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TraceId(String);

/// How an execution was requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// A capability by its id.
    Single,
    Chain,
    /// Code that came with the call.
    Direct,
    /// Code by its name.
    ByName,
    Skill,
    /// Nothing ran: an intent was matched with the available capabilities.
    Suggestion,
}

/// The state of an execution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TraceState {
    /// It ended, with or without success.
    #[default]
    Ended,
    /// Its process is running it, or it is unknown whether that process still exists.
    UnderWay,
    /// Its process ended before the execution did.
    Crashed,
}

impl TraceState {
    fn is_ended(&self) -> bool {
        *self == Self::Ended
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    pub id: TraceId,
    pub mode: Mode,
    #[serde(default, skip_serializing_if = "TraceState::is_ended")]
    pub state: TraceState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// The capability that ran; the FQDN for code. `None` for a chain, and for code that was not
    /// registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability: Option<String>,
    /// The input of code that came with the call. Everything else has its input in a call. Secrets
    /// are masked, and long values are truncated.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub input: Value,
    /// The capability that the same session executed just before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<Node>,
    pub started_at: Timestamp,
    pub duration_us: u64,
    pub ok: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<ErrorCode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The calls in the order in which they were made.
    pub calls: Vec<TraceCall>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub console: Vec<ConsoleLine>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub console_cut: bool,
}

/// One capability that ran during the execution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceCall {
    pub capability: String,
    /// The full name, for code: `capability` may mean something else later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<Fqdn>,
    /// The name of the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// The index of the call within which it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<u32>,
    /// Calls with the same number were sent together.
    pub batch: u32,
    /// The start, in microseconds from the start of the trace.
    pub started_us: u64,
    pub duration_us: u64,
    pub ok: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<ErrorCode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// For a failed write: whether it may have happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The input without secrets; long values are truncated.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub input: Value,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub output: Value,
}

impl TraceCall {
    /// Returns a call whose execution ended before its answer came. `left` says whether it was
    /// sent, and `writes` whether it changes something itself.
    pub fn cut_off(self, left: bool, writes: bool) -> Self {
        let (error, outcome) = match (writes, left) {
            (true, true) => (
                "the execution ended before the answer came: it may have happened",
                Some(Outcome::Unknown),
            ),
            (true, false) => (
                "never sent: the execution ended first",
                Some(Outcome::NotApplied),
            ),
            (false, true) => ("the execution ended before the answer came", None),
            (false, false) => ("the execution ended before this call did", None),
        };
        Self {
            ok: false,
            error_code: Some(ErrorCode::Cancelled),
            error: Some(error.to_owned()),
            outcome,
            ..self
        }
    }
}

impl TraceCall {
    /// Returns a call of a running execution that has no answer yet. Nothing is said about a call
    /// that was not sent: it may be sent at any moment.
    pub fn unanswered(self, left: bool, writes: bool) -> Self {
        let (error, outcome) = match (writes, left) {
            (true, true) => (
                "sent, but not answered yet: it may have happened",
                Some(Outcome::Unknown),
            ),
            (false, true) => ("sent, but not answered yet", None),
            (_, false) => ("not sent yet: the execution is under way", None),
        };
        Self {
            ok: false,
            error: Some(error.to_owned()),
            outcome,
            ..self
        }
    }
}

/// The recorded state of a running execution, before its next write is sent.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenTrace {
    /// What is known so far, without the calls.
    pub trace: Trace,
    /// The calls that are new or changed since they were last recorded.
    pub calls: Vec<OpenCall>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct OpenCall {
    /// The index among the calls of the trace.
    pub position: u32,
    pub stage: CallStage,
    /// Whether it changes something itself.
    pub writes: bool,
    pub call: TraceCall,
}

/// The stage of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallStage {
    /// As far as is known, nothing was sent for it that could change anything.
    Waiting,
    /// It is about to be sent, or was sent.
    Left,
    Answered,
}

/// The fields of a trace that a list shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceSummary {
    pub id: TraceId,
    pub mode: Mode,
    #[serde(default, skip_serializing_if = "TraceState::is_ended")]
    pub state: TraceState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability: Option<String>,
    pub started_at: Timestamp,
    pub duration_us: u64,
    pub ok: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<ErrorCode>,
    /// The number of capabilities that it ran.
    pub calls: u64,
}

impl TraceId {
    const TIME_DIGITS: u32 = 10;
    const CHANCE_DIGITS: u32 = 6;

    /// Returns a new id. `chance` distinguishes ids of the same millisecond.
    pub fn new(started_at: Timestamp, chance: u64) -> Self {
        let mut id = String::new();
        let time = u64::try_from(started_at).unwrap_or(0);
        write_digits(time, Self::TIME_DIGITS, &mut id);
        write_digits(chance, Self::CHANCE_DIGITS, &mut id);
        Self(id)
    }

    /// Returns an id that was stored.
    pub fn kept(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for TraceId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Writes a number in base 32 without letters that look like digits, highest digit first.
fn write_digits(number: u64, digits: u32, text: &mut String) {
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    for digit in (0..digits).rev() {
        let index = (number >> (5 * digit)) & 31;
        text.push(char::from(ALPHABET[index as usize]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_time() {
        let early = TraceId::new(1_700_000_000_000, u64::MAX);
        let late = TraceId::new(1_700_000_000_001, 0);
        assert!(early < late);
        assert_eq!(early.as_str().len(), 16);
        assert_ne!(late, TraceId::new(1_700_000_000_001, 1));
    }
}
