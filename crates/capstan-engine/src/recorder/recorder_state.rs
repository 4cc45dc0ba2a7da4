//! The recorder of one execution.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use serde_json::{Map, Value};

use capstan_core::code::{ConsoleLine, Mode, Node, Timestamp, TraceId, kept};
use capstan_core::date::timestamp_of;
use capstan_core::port::Clock;
use capstan_core::{Redactor, json};
use capstan_exec::masked::{masked, masked_by_name};

use super::CallContext;
use super::calls::{CallOutput, Calls};
use crate::capability::{Asker, Implementation};

/// The length in bytes, as JSON, up to which an input or output is kept.
const LONGEST_KEPT_VALUE: usize = 4 << 10;

/// How many bytes of inputs and outputs a trace keeps in all. Later calls are recorded without their values.
pub(super) const MOST_KEPT_BYTES: usize = 1 << 20;

/// How many calls a trace keeps. Later reads are not recorded; later writes are counted, but not kept.
pub(super) const MOST_CALLS: usize = 5000;

/// Records what one execution does, as it happens. Its memory is bounded, and it keeps no secrets.
pub(crate) struct Recorder {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) redactor: Redactor,
    pub(super) started: Instant,
    pub(super) started_at: Timestamp,
    pub(super) id: TraceId,
    pub(super) follows: Option<Node>,
    /// The arguments of code that came with the call.
    pub(super) args: OnceLock<Value>,
    /// What the caller asked for.
    pub(super) request: TraceRequest,
    /// What the execution runs, once that is known: code with its full name, or a skill.
    pub(super) subject: OnceLock<(Mode, String)>,
    pub(super) calls: Mutex<Calls>,
    pub(super) console: Mutex<(Vec<ConsoleLine>, bool)>,
    /// Warnings of inner calls, which have no envelope of their own in the answer.
    pub(super) warnings: Mutex<Vec<String>>,
    /// How many bytes of inputs and outputs are kept so far.
    pub(super) kept_bytes: AtomicUsize,
    pub(super) batches: AtomicU32,
    /// A part of the execution is in the store.
    pub(super) is_recorded: AtomicBool,
    /// The first attempt to record it failed.
    pub(super) recording_failed: AtomicBool,
    pub(super) keeps_values: bool,
    /// Several calls may be made at the top: by a chain, or by code that came with the call.
    pub(super) has_several: bool,
}

/// What the caller of an execution asked for.
pub(super) struct TraceRequest {
    pub(super) mode: Mode,
    pub(super) intent: Option<String>,
    pub(super) capability: Option<String>,
}

impl Recorder {
    /// Starts to record. `keeps_values`: there is a store for the trace, so inputs and outputs are recorded.
    pub(crate) fn new(clock: Arc<dyn Clock>, redactor: Redactor, keeps_values: bool) -> Self {
        let started = clock.now();
        let started_at = timestamp_of(clock.date());
        Self {
            clock,
            redactor,
            started,
            started_at,
            id: TraceId::new(started_at, fastrand::u64(..)),
            follows: None,
            args: OnceLock::new(),
            request: TraceRequest {
                mode: Mode::Single,
                intent: None,
                capability: None,
            },
            subject: OnceLock::new(),
            calls: Mutex::default(),
            console: Mutex::default(),
            warnings: Mutex::default(),
            kept_bytes: AtomicUsize::new(0),
            batches: AtomicU32::new(0),
            is_recorded: AtomicBool::new(false),
            recording_failed: AtomicBool::new(false),
            keeps_values,
            has_several: false,
        }
    }

    /// Sets whether several calls may be made at the top: by a chain, or by code that came with the call.
    pub(crate) fn with_several_calls(self, has_several: bool) -> Self {
        Self {
            has_several,
            ..self
        }
    }

    /// Sets what the caller asked for.
    pub(crate) fn with_request(
        self,
        mode: Mode,
        intent: Option<&str>,
        capability: Option<&str>,
    ) -> Self {
        let request = TraceRequest {
            mode,
            intent: intent.map(str::to_owned),
            capability: capability.map(str::to_owned),
        };
        Self { request, ..self }
    }

    /// Sets what was executed before in the same session.
    pub(crate) fn with_predecessor(self, follows: Option<Node>) -> Self {
        Self { follows, ..self }
    }

    pub(crate) fn id(&self) -> &TraceId {
        &self.id
    }

    /// Sets what the whole execution runs.
    pub(crate) fn set_subject(&self, implementation: &Implementation) {
        let what = match implementation {
            Implementation::Code(code) => (Mode::ByName, code.record.fqdn.to_string()),
            Implementation::Skill(plan) => (Mode::Skill, plan.id.to_string()),
            Implementation::Card => return,
        };
        // A second call would set the same value.
        let _ = self.subject.set(what);
    }

    /// Sets the arguments of code that came with the call.
    pub(crate) fn set_args(&self, args: &Map<String, Value>) {
        if !args.is_empty() {
            // Arguments are set only once.
            let _ = self.args.set(self.kept(&Value::Object(args.clone())));
        }
    }

    pub(crate) fn subject(&self) -> Option<&(Mode, String)> {
        self.subject.get()
    }

    /// Returns the context of calls at the top of the execution.
    pub(crate) fn top(&self) -> CallContext<'_> {
        CallContext {
            recorder: self,
            parent: None,
            depth: 0,
            stop: None,
            abandon: None,
            opened_call: None,
            turn: None,
            reads_only: false,
            asker: Asker::Caller,
            resume: None,
        }
    }

    /// Returns a value as the trace keeps it: without secrets, and replaced by a note if it is too long.
    pub(super) fn kept(&self, value: &Value) -> Value {
        self.kept_with(value, |value| masked(&self.redactor, value))
    }

    /// Returns an output as the trace keeps it.
    pub(super) fn kept_output(&self, output: CallOutput<'_>) -> Value {
        if output.is_masked {
            self.kept_with(output.data, masked_by_name)
        } else {
            self.kept(output.data)
        }
    }

    fn kept_with(&self, value: &Value, mask: impl FnOnce(&Value) -> Value) -> Value {
        if !self.keeps_values {
            return Value::Null;
        }
        let size = json::length(value);
        if size > LONGEST_KEPT_VALUE {
            return kept::cut(size);
        }
        if self.kept_bytes.fetch_add(size, Ordering::Relaxed) > MOST_KEPT_BYTES {
            return kept::cut_as_enough();
        }
        mask(value)
    }
}
