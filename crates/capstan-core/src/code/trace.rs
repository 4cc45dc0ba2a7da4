//! What one execution did, kept for people to look at and for the graph to learn from.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ConsoleLine, Fqdn, Node, Timestamp};
use crate::{ErrorCode, Outcome};

/// Sorts by time: the milliseconds of its start in ten digits of base 32, then chance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TraceId(String);

/// How something was asked for.
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
    /// Nothing was run: an intent was matched with what there is.
    Suggestion,
}

/// How far an execution is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TraceState {
    /// It ended, well or not.
    #[default]
    Ended,
    /// Its process is at it, or whether that is still there cannot be found out.
    UnderWay,
    /// Its process is gone, and did not come to the end.
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
    /// The capability that was run; the FQDN for code. Nothing for a chain, and for code that was
    /// not registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability: Option<String>,
    /// What code that came with the call was given; everything else was given it as a call. Without
    /// secrets, and cut where it is long.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub input: Value,
    /// What the same session executed just before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<Node>,
    pub started_at: Timestamp,
    pub duration_us: u64,
    pub ok: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<ErrorCode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// In the order in which they were made.
    pub calls: Vec<TraceCall>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub console: Vec<ConsoleLine>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub console_cut: bool,
}

/// One capability that was run on the way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceCall {
    pub capability: String,
    /// The full name, where it is code: the other may mean something else tomorrow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<Fqdn>,
    /// What it is called where it was asked for: the name of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// The call within which it was made, by its place in the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<u32>,
    /// Calls with the same number left together.
    pub batch: u32,
    /// From the start of the trace.
    pub started_us: u64,
    pub duration_us: u64,
    pub ok: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<ErrorCode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What is known of a write that did not go well: whether it happened all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Without secrets, and cut where it is long.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub input: Value,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub output: Value,
}

impl TraceCall {
    /// A call whose execution ended before its answer came. `left`: it was sent; `writes`: it changes
    /// something itself.
    pub fn cut_off(self, left: bool, writes: bool) -> Self {
        let (error, outcome) = match (writes, left) {
            (true, true) => (
                "the execution ended before the answer came: it may have happened",
                Some(Outcome::Unknown),
            ),
            (true, false) => (
                "never sent: the execution ended before",
                Some(Outcome::NotApplied),
            ),
            (false, true) => ("the execution ended before the answer came", None),
            (false, false) => ("the execution ended before it was over", None),
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
    /// A call that has no answer yet, of an execution that is under way. Of what was not sent so far nothing is said:
    /// it may be sent at any moment.
    pub fn unanswered(self, left: bool, writes: bool) -> Self {
        let (error, outcome) = match (writes, left) {
            (true, true) => (
                "sent, and not answered so far: it may have happened",
                Some(Outcome::Unknown),
            ),
            (false, true) => ("sent, and not answered so far", None),
            (_, false) => ("not sent so far: the execution is under way", None),
        };
        Self {
            ok: false,
            error: Some(error.to_owned()),
            outcome,
            ..self
        }
    }
}

/// What is recorded of an execution that is under way, before its next write leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenTrace {
    /// As far as it is known, without its calls.
    pub trace: Trace,
    /// Those that are new, or not as they were when they were last recorded.
    pub calls: Vec<OpenCall>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct OpenCall {
    /// Its place among the calls of the trace.
    pub position: u32,
    pub stage: CallStage,
    /// It changes something itself.
    pub writes: bool,
    pub call: TraceCall,
}

/// How far a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallStage {
    /// As far as is known, nothing was sent for it that could change anything.
    Waiting,
    /// It is about to be sent, or was.
    Left,
    Answered,
}

/// What a list shows of a trace.
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
    /// How many capabilities it ran.
    pub calls: u64,
}

impl TraceId {
    const TIME_DIGITS: u32 = 10;
    const CHANCE_DIGITS: u32 = 6;

    /// `chance` makes ids of the same millisecond differ.
    pub fn new(started_at: Timestamp, chance: u64) -> Self {
        let mut id = String::new();
        let time = u64::try_from(started_at).unwrap_or(0);
        write_digits(time, Self::TIME_DIGITS, &mut id);
        write_digits(chance, Self::CHANCE_DIGITS, &mut id);
        Self(id)
    }

    /// An id that was kept.
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

/// In base 32 without the letters that look like digits, highest digit first.
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
