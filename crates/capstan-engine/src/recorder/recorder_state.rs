//! The recorder of one execution.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use serde_json::{Map, Value};

use capstan_core::Redactor;
use capstan_core::code::{ConsoleLine, Mode, Node, Timestamp, TraceId, kept};
use capstan_core::date::timestamp_of;
use capstan_core::port::Clock;
use capstan_exec::masked::masked;

use super::CallContext;
use super::calls::Calls;
use crate::capability::{Asker, Implementation};

/// Inputs and outputs that are longer as JSON are not kept.
const LONGEST_VALUE: usize = 4 << 10;

/// Of all of them together: what comes later is told without its values.
pub(super) const MOST_VALUES: usize = 1 << 20;

/// What is called later is in no trace; what it writes is still counted.
pub(super) const MOST_CALLS: usize = 5000;

/// Records what one execution does, as it happens. What it keeps has no secrets and is bounded.
pub(crate) struct Recorder {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) redactor: Redactor,
    pub(super) started: Instant,
    pub(super) started_at: Timestamp,
    pub(super) id: TraceId,
    pub(super) follows: Option<Node>,
    /// What code that came with the call was given.
    pub(super) given: OnceLock<Value>,
    /// How it was asked for, by which intent, and what was asked for.
    pub(super) asked: Asked,
    /// What it turned out to run, as soon as that is known: code with its full name, or a skill.
    pub(super) turned_out: OnceLock<(Mode, String)>,
    pub(super) calls: Mutex<Calls>,
    pub(super) console: Mutex<(Vec<ConsoleLine>, bool)>,
    /// What calls within it were told, of which no envelope of the answer says anything.
    pub(super) warnings: Mutex<Vec<String>>,
    /// How much of values is kept.
    pub(super) values: AtomicUsize,
    pub(super) batches: AtomicU32,
    /// Something of it is in the store.
    pub(super) is_recorded: AtomicBool,
    /// It could not be recorded when that was first tried.
    pub(super) has_failed: AtomicBool,
    pub(super) keeps: bool,
    /// Other calls than the one that was asked for may be made at the top.
    pub(super) has_several: bool,
}

/// How an execution was asked for.
pub(super) struct Asked {
    pub(super) mode: Mode,
    pub(super) intent: Option<String>,
    pub(super) capability: Option<String>,
}

impl Recorder {
    /// `keeps`: somebody will keep the trace, so values are worth writing down.
    pub(crate) fn new(clock: Arc<dyn Clock>, redactor: Redactor, keeps: bool) -> Self {
        let started = clock.now();
        let started_at = timestamp_of(clock.date());
        Self {
            clock,
            redactor,
            started,
            started_at,
            id: TraceId::new(started_at, fastrand::u64(..)),
            follows: None,
            given: OnceLock::new(),
            asked: Asked {
                mode: Mode::Single,
                intent: None,
                capability: None,
            },
            turned_out: OnceLock::new(),
            calls: Mutex::default(),
            console: Mutex::default(),
            warnings: Mutex::default(),
            values: AtomicUsize::new(0),
            batches: AtomicU32::new(0),
            is_recorded: AtomicBool::new(false),
            has_failed: AtomicBool::new(false),
            keeps,
            has_several: false,
        }
    }

    /// Several calls are made at the top: of a chain, or by code that came with the call.
    pub(crate) fn of_several(self, has_several: bool) -> Self {
        Self {
            has_several,
            ..self
        }
    }

    /// How it was asked for.
    pub(crate) fn asked_for(
        self,
        mode: Mode,
        intent: Option<&str>,
        capability: Option<&str>,
    ) -> Self {
        let asked = Asked {
            mode,
            intent: intent.map(str::to_owned),
            capability: capability.map(str::to_owned),
        };
        Self { asked, ..self }
    }

    /// It begins after something else of the same session.
    pub(crate) fn following(self, follows: Option<Node>) -> Self {
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
        // Whoever comes later says the same.
        let _ = self.turned_out.set(what);
    }

    /// Sets what code that came with the call is given.
    pub(crate) fn set_args(&self, args: &Map<String, Value>) {
        if !args.is_empty() {
            // Nothing is given twice.
            let _ = self.given.set(self.kept(&Value::Object(args.clone())));
        }
    }

    pub(crate) fn turned_out(&self) -> Option<&(Mode, String)> {
        self.turned_out.get()
    }

    pub(crate) fn top(&self) -> CallContext<'_> {
        CallContext {
            recorder: self,
            call: None,
            depth: 0,
            halt: None,
            cancel: None,
            number: None,
            turn: None,
            reads_only: false,
            asker: Asker::Caller,
            resume: None,
        }
    }

    /// Returns a value as it is kept: without secrets, and cut where it is too long.
    pub(super) fn kept(&self, value: &Value) -> Value {
        if !self.keeps {
            return Value::Null;
        }
        let size = serde_json::to_string(value).map_or(0, |text| text.len());
        if size > LONGEST_VALUE {
            return kept::cut(size);
        }
        if self.values.fetch_add(size, Ordering::Relaxed) > MOST_VALUES {
            return kept::cut_as_enough();
        }
        masked(&self.redactor, value)
    }
}
