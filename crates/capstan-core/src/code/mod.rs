//! Capabilities made of code: their identity, their names, how they run, and what is stored about
//! them.

mod edge;
mod given;
mod hash;
pub mod kept;
mod limits;
mod name;
mod parameters;
mod record;
mod script;
mod trace;

pub use edge::{Edge, EdgeKind, EdgeSource, Evidence, Node, Observation, Observed, Passed};
pub use given::{LONGEST_INTENT, LONGEST_NAME, shown_name};
pub use hash::{CodeHash, InvalidHash};
pub use limits::Limits;
pub use name::{DisplayName, Fqdn, InvalidName, Namespace, Scope, Visibility, is_full_name, is_id};
pub use parameters::{DECLARED, Relaxation, WiderParameter, json_type, without_guessed_types};
pub use record::{Capability, Event, EventKind, Pattern, Record, Statistics, Timestamp, Use};
pub use script::{
    CallTarget, ConsoleLine, Frame, Mentions, Place, Script, ScriptCall, ScriptEnd, ScriptError,
    ScriptErrorKind, ScriptReply, ScriptUsage, ScriptValue, Stopped,
};
pub use trace::{
    CallStage, Mode, OpenCall, OpenTrace, Trace, TraceCall, TraceId, TraceState, TraceSummary,
};
