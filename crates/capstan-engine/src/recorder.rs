//! Writes down what one execution does, as it happens. What it keeps has no secrets and is bounded.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use capstan_core::card::Operation;
use capstan_core::code::{
    CallStage, ConsoleLine, Fqdn, Mode, Node, OpenCall, OpenTrace, Timestamp, Trace, TraceCall,
    TraceId, TraceState, kept, shown_name,
};
pub(crate) use capstan_core::date::timestamp_of as timestamp;
use capstan_core::port::Clock;
use capstan_core::run::RunTurn;
use capstan_core::{CallsMade, Outcome, Redactor, ResultEnvelope, ResultError, Timings};

use crate::capability::{Asker, Behind};
use crate::chain::Prepared;
use crate::halt::Halt;
use crate::masked::masked;
use crate::outcome::PARTIAL;
use crate::passing::Passing;

/// Inputs and outputs that are longer as JSON are not kept.
const LONGEST_VALUE: usize = 4 << 10;

/// Of all of them together: what comes later is told without its values.
const MOST_VALUES: usize = 1 << 20;

/// Of what one call was given by others.
const MOST_USED: usize = 50;

/// What is called later is in no trace; what it writes is still counted.
const MOST_CALLS: usize = 5000;

/// The number of a call that is not written down.
const UNCOUNTED: u32 = u32::MAX;

/// Of all runs of one trace together.
const MOST_CONSOLE: usize = 256 << 10;

/// Of what calls within an execution were told, so much is told with its answer.
const MOST_WARNINGS: usize = 10;

pub(crate) struct Recorder {
    clock: Arc<dyn Clock>,
    redactor: Redactor,
    started: Instant,
    started_at: Timestamp,
    id: TraceId,
    follows: Option<Node>,
    /// What code that came with the call was given.
    given: OnceLock<Value>,
    /// How it was asked for, by which intent, and what was asked for.
    asked: Asked,
    /// What it turned out to run, as soon as that is known: code with its full name, or a skill.
    turned_out: OnceLock<(Mode, String)>,
    calls: Mutex<Calls>,
    console: Mutex<(Vec<ConsoleLine>, bool)>,
    /// What calls within it were told, of which no envelope of the answer says anything.
    warnings: Mutex<Vec<String>>,
    /// How much of values is kept.
    values: AtomicUsize,
    batches: AtomicU32,
    /// Something of it is in the store.
    is_recorded: AtomicBool,
    /// It could not be recorded when that was first tried.
    has_failed: AtomicBool,
    keeps: bool,
    /// Other calls than the one that was asked for may be made at the top.
    has_several: bool,
}

/// How an execution was asked for.
struct Asked {
    mode: Mode,
    intent: Option<String>,
    capability: Option<String>,
}

#[derive(Default)]
struct Calls {
    all: Vec<Entry>,
    /// What was in outputs that are too long to be kept.
    passing: Passing,
}

impl Calls {
    /// Everything that was written from within a call, at whatever depth (from the top: without one).
    fn writes_within(&self, within: Option<u32>) -> impl Iterator<Item = &Entry> {
        let mut inside = vec![false; self.all.len()];
        self.all
            .iter()
            .enumerate()
            .filter_map(move |(index, entry)| {
                let parent = entry.call.within;
                let of_parent = parent.and_then(|parent| inside.get(parent as usize).copied());
                // Of what was called from a call that nobody counted, too much is told rather than too little.
                let unplaced = parent == Some(UNCOUNTED);
                inside[index] = unplaced || parent == within || of_parent.unwrap_or(false);
                (inside[index] && entry.writes).then_some(entry)
            })
    }
}

/// A call, and what is known of it beside what is kept.
struct Entry {
    call: TraceCall,
    /// It changes something itself; code does not, what it calls does.
    writes: bool,
    /// What became of it; nothing while it is under way.
    outcome: Option<Outcome>,
    /// It was sent, and nothing that came back says that it did not happen.
    left: bool,
    /// How far it was when it was last recorded in the store.
    recorded: Option<CallStage>,
}

/// What an execution that ended early had written until then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interruption {
    /// How many writes are done.
    pub done: usize,
    /// Those that were under way, and may have happened.
    pub unknown: Vec<String>,
    /// How many were never sent.
    pub not_sent: usize,
}

/// What became of the writes of a run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Writes {
    pub(crate) done: usize,
    /// Of which nobody knows whether they happened.
    pub(crate) unknown: Vec<String>,
}

impl Writes {
    /// Nothing was written, and nothing may have been.
    pub(crate) fn is_nothing(&self) -> bool {
        self.done == 0 && self.unknown.is_empty()
    }

    /// An error with what became of the writes before it: told, because they stay done.
    pub(crate) fn told_with(self, error: ResultError) -> (ResultError, Outcome) {
        let outcome = match (self.unknown.is_empty(), self.done) {
            (false, _) => Outcome::Unknown,
            (true, 0) => Outcome::NotApplied,
            (true, _) => Outcome::Applied,
        };
        let error = match outcome {
            Outcome::NotApplied => error,
            Outcome::Unknown | Outcome::Applied => {
                let told = json!({"done": self.done, "unknown": self.unknown});
                error.not_retryable().with_detail("writes", told)
            }
        };
        (error, outcome)
    }
}

/// Where in a trace something happens.
#[derive(Clone, Copy)]
pub(crate) struct Within<'a> {
    pub(crate) recorder: &'a Recorder,
    /// The call that it is a part of.
    pub(crate) call: Option<u32>,
    /// How many runs of code wait for it.
    pub(crate) depth: u32,
    /// Says when nothing more is to be begun.
    pub(crate) halt: Option<&'a Halt<'a>>,
    /// The same, said by code that does not wait for it any more. Other than `halt`, nested code obeys it.
    pub(crate) cancel: Option<&'a Halt<'a>>,
    /// Takes the number of the call that is made from here, if it is one alone.
    pub(crate) number: Option<&'a OnceLock<u32>>,
    /// The turn at the run of a skill that it belongs to: where that is over, nothing more is written.
    pub(crate) turn: Option<&'a RunTurn>,
    /// What it is a part of says that it changes nothing, so nothing may.
    pub(crate) reads_only: bool,
    /// On whose behalf names are looked up.
    pub(crate) asker: Asker,
}

impl Recorder {
    /// `keeps`: somebody will keep the trace, so values are worth writing down.
    pub(crate) fn new(clock: Arc<dyn Clock>, redactor: Redactor, keeps: bool) -> Self {
        let started = clock.now();
        let started_at = timestamp(clock.date());
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

    /// This is all that is run.
    pub(crate) fn is_of(&self, step: &Prepared<'_>) {
        let what = match &step.behind {
            Behind::Code(code) => (Mode::ByName, code.record.fqdn.to_string()),
            Behind::Skill(plan) => (Mode::Skill, plan.id.to_string()),
            Behind::Nothing => return,
        };
        // Whoever comes later says the same.
        let _ = self.turned_out.set(what);
    }

    /// Code that came with the call is given this.
    pub(crate) fn gives(&self, args: &Map<String, Value>) {
        if !args.is_empty() {
            // Nothing is given twice.
            let _ = self.given.set(self.kept(&Value::Object(args.clone())));
        }
    }

    pub(crate) fn turned_out(&self) -> Option<&(Mode, String)> {
        self.turned_out.get()
    }

    pub(crate) fn top(&self) -> Within<'_> {
        Within {
            recorder: self,
            call: None,
            depth: 0,
            halt: None,
            cancel: None,
            number: None,
            turn: None,
            reads_only: false,
            asker: Asker::Caller,
        }
    }

    /// A number for what leaves together.
    pub(crate) fn batch(&self) -> u32 {
        self.batches.fetch_add(1, Ordering::Relaxed)
    }

    /// A call begins. The number is to be given back at its end.
    pub(crate) fn open(&self, opened: &Opened<'_>) -> u32 {
        let &Opened {
            capability,
            code,
            step,
            input,
            batch,
            within,
            writes,
        } = opened;
        let name = |name: &str| self.redactor.text(&shown_name(name)).into_owned();
        let call = TraceCall {
            capability: name(capability),
            code: code.cloned(),
            step: step.map(name),
            within,
            batch,
            started_us: self.elapsed(),
            duration_us: 0,
            ok: false,
            error_code: None,
            error: None,
            outcome: None,
            input: self.kept(input),
            output: Value::Null,
        };
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if calls.all.len() >= MOST_CALLS && !writes {
            return UNCOUNTED;
        }
        self.note_what_goes_on(&mut calls, within, &call.input);
        calls.all.push(Entry {
            call,
            writes,
            outcome: None,
            left: false,
            recorded: None,
        });
        u32::try_from(calls.all.len() - 1).unwrap_or(u32::MAX)
    }

    /// Of outputs that are not kept, what a later call is given of them is.
    fn note_what_goes_on(&self, calls: &mut Calls, within: Option<u32>, input: &Value) {
        let taken = calls.passing.taken(within, input);
        for taken in taken.into_iter().take(MOST_USED) {
            let size = taken.at.len() + taken.value.as_str().map_or(8, str::len);
            if self.values.fetch_add(size, Ordering::Relaxed) > MOST_VALUES {
                return;
            }
            if let Some(earlier) = calls.all.get_mut(taken.call as usize) {
                // The names on the way are of an output that was not masked.
                let at = self.redactor.text(&taken.at);
                kept::add_used(&mut earlier.call.output, &at, taken.value);
            }
        }
    }

    /// A call is over.
    pub(crate) fn close(&self, number: u32, envelope: &ResultEnvelope) {
        let (data, error) = (envelope.data.as_ref(), envelope.error.as_ref());
        let is_cut = self.record_answer(number, data, error);
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let Calls { all, passing } = &mut *calls;
        if let (Some(entry), Some(data), true) = (all.get(number as usize), data, is_cut) {
            // What was called alone gives nothing to others.
            if entry.call.within.is_some() || self.has_several {
                passing.give(entry.call.within, number, data);
            }
        }
    }

    /// An answer is there, be it before the caller is told. Says whether the data are too long to be kept.
    pub(crate) fn record_answer(
        &self,
        number: u32,
        data: Option<&Value>,
        error: Option<&ResultError>,
    ) -> bool {
        let now = self.elapsed();
        let output = data.map(|data| self.kept(data));
        let is_cut = output.as_ref().is_some_and(kept::is_cut);
        let message = error.map(|error| self.redactor.text(&error.message).into_owned());
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = calls.all.get_mut(number as usize) {
            let outcome = outcome_of(error);
            entry.outcome = Some(outcome);
            let call = &mut entry.call;
            call.duration_us = now.saturating_sub(call.started_us);
            call.ok = error.is_none();
            call.error_code = error.map(|error| error.code);
            call.error = message;
            call.outcome = (entry.writes && error.is_some()).then_some(outcome);
            call.output = output.unwrap_or_default();
        }
        is_cut
    }

    /// Whether something was sent for calls that may change something, or, for reads, at all. What a write
    /// only looks up beforehand changes nothing.
    pub(crate) fn set_left(&self, numbers: &[u32], operation: Operation, left: bool) {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        for number in numbers {
            if let Some(entry) = calls.all.get_mut(*number as usize)
                && entry.writes == (operation == Operation::Write)
            {
                entry.left = left;
            }
        }
    }

    /// What is to be recorded before these calls leave: the execution, and every call that is not recorded
    /// as it is.
    pub(crate) fn take_unrecorded(&self, leaving: &[u32]) -> OpenTrace {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let mut unrecorded = Vec::new();
        for (position, entry) in calls.all.iter_mut().enumerate() {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            let stage = match entry.outcome {
                Some(_) => CallStage::Answered,
                None if entry.left || leaving.contains(&position) => CallStage::Left,
                None => CallStage::Waiting,
            };
            if entry.recorded != Some(stage) {
                entry.recorded = Some(stage);
                unrecorded.push(OpenCall {
                    position,
                    stage,
                    writes: entry.writes,
                    call: entry.call.clone(),
                });
            }
        }
        OpenTrace {
            trace: self.so_far(),
            calls: unrecorded,
        }
    }

    /// Whether something of it is in the store: what that says has to stay true.
    pub(crate) fn is_recorded(&self) -> bool {
        self.is_recorded.load(Ordering::Relaxed)
    }

    /// Whether it is worth trying to record it.
    pub(crate) fn is_recordable(&self) -> bool {
        self.is_recorded() || !self.has_failed.load(Ordering::Relaxed)
    }

    /// Whether recording it went well. If not, what was taken to be recorded is taken again.
    pub(crate) fn set_recorded(&self, well: bool) {
        if well {
            self.is_recorded.store(true, Ordering::Relaxed);
            return;
        }
        self.has_failed.store(true, Ordering::Relaxed);
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        for entry in &mut calls.all {
            entry.recorded = None;
        }
    }

    /// The execution as far as it is known, without its calls.
    fn so_far(&self) -> Trace {
        let text = |text: &str| self.redactor.text(text).into_owned();
        let (mode, capability) = match (self.asked.mode, self.turned_out.get()) {
            (Mode::Single, Some((mode, name))) => (*mode, Some(name.as_str())),
            (mode, _) => (mode, self.asked.capability.as_deref()),
        };
        Trace {
            id: self.id.clone(),
            mode,
            state: TraceState::UnderWay,
            intent: self.asked.intent.as_deref().map(text),
            capability: capability.map(|name| text(&shown_name(name))),
            input: self.given.get().cloned().unwrap_or_default(),
            follows: self.follows.clone(),
            started_at: self.started_at,
            duration_us: 0,
            ok: false,
            error_code: None,
            error: None,
            calls: Vec::new(),
            console: Vec::new(),
            console_cut: false,
        }
    }

    /// What was written so far, and what was not.
    pub(crate) fn interruption(&self) -> Interruption {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        // What called others tells nothing that those do not.
        let parents: HashSet<u32> = calls.all.iter().filter_map(|it| it.call.within).collect();
        let is_single =
            |(position, entry): &(u32, &Entry)| entry.writes && !parents.contains(position);
        let mut told = Interruption::default();
        for (_, entry) in (0..).zip(&calls.all).filter(is_single) {
            match (entry.outcome, entry.left) {
                (Some(Outcome::Applied), _) => told.done += 1,
                (Some(Outcome::Unknown), _) | (None, true) => {
                    told.unknown.push(entry.call.capability.clone());
                }
                (None, false) => told.not_sent += 1,
                (Some(Outcome::NotApplied), _) => {}
            }
        }
        told
    }

    /// What was asked for, if it went well.
    pub(crate) fn first_call(&self) -> Option<TraceCall> {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let first = calls.all.first().map(|entry| &entry.call);
        first.filter(|call| call.ok && self.keeps).cloned()
    }

    /// What was called directly from within a call (from the top: without one), how often.
    pub(crate) fn calls_made(&self, within: Option<u32>) -> Vec<CallsMade> {
        let mut made: Vec<CallsMade> = Vec::new();
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = calls.all.iter().map(|entry| &entry.call);
        for call in calls.filter(|call| call.within == within) {
            let failed = u64::from(!call.ok);
            match made.iter_mut().find(|it| it.capability == call.capability) {
                Some(known) => {
                    known.count += 1;
                    known.failed += failed;
                }
                None => made.push(CallsMade {
                    capability: call.capability.clone(),
                    count: 1,
                    failed,
                }),
            }
        }
        made
    }

    /// What became of everything that was written from within a call, at whatever depth (from the
    /// top: without one).
    pub(crate) fn writes(&self, within: Option<u32>) -> Writes {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let mut writes = Writes::default();
        for entry in calls.writes_within(within) {
            match entry.outcome {
                Some(Outcome::Applied) => writes.done += 1,
                Some(Outcome::NotApplied) => {}
                None if !entry.left => {}
                Some(Outcome::Unknown) | None => writes.unknown.push(entry.call.capability.clone()),
            }
        }
        writes
    }

    /// Whether something that writes was begun from within a call, at whatever depth, and is not over.
    pub(crate) fn has_open_write(&self, within: u32) -> bool {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let mut writes = calls.writes_within(Some(within));
        writes.any(|entry| entry.outcome.is_none())
    }

    /// What code wrote to its console, and whether some of it was left out.
    pub(crate) fn console(&self, lines: Vec<ConsoleLine>, cut: bool) {
        let mut console = self.console.lock().unwrap_or_else(PoisonError::into_inner);
        let mut size: usize = console.0.iter().map(|line| line.text.len()).sum();
        console.1 |= cut;
        for line in lines {
            size += line.text.len();
            if size > MOST_CONSOLE {
                console.1 = true;
                return;
            }
            console.0.push(ConsoleLine {
                text: self.redactor.text(&line.text).into_owned(),
                level: line.level,
            });
        }
    }

    /// Notes what a call within the execution was told, once each.
    pub(crate) fn record_warnings(&self, warnings: &[String]) {
        if warnings.is_empty() {
            return;
        }
        let mut known = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        for warning in warnings {
            let warning = self.redactor.text(warning);
            if known.len() < MOST_WARNINGS && !known.iter().any(|it| *it == warning) {
                known.push(warning.into_owned());
            }
        }
    }

    /// What calls within the execution were told, at most ten of it.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let known = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        known.clone()
    }

    /// Everything that code wrote so far.
    pub(crate) fn console_so_far(&self) -> Vec<ConsoleLine> {
        let console = self.console.lock().unwrap_or_else(PoisonError::into_inner);
        console.0.clone()
    }

    /// How long it took so far, and for how much of that something was under way that was called from
    /// within a call (from the top: without one).
    pub(crate) fn timings(&self, within: Option<u32>) -> Timings {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let own = calls.all.iter().map(|entry| &entry.call);
        let own = own.filter(|call| call.within == within);
        let mut spans: Vec<_> = own
            .map(|call| (call.started_us, call.started_us + call.duration_us))
            .collect();
        spans.sort_unstable();
        let mut busy_us = 0;
        let mut seen = 0;
        for (start, end) in spans {
            busy_us += end.saturating_sub(start.max(seen));
            seen = seen.max(end);
        }
        Timings {
            total_ms: self.elapsed() / 1000,
            adapter_ms: busy_us / 1000,
        }
    }

    pub(crate) fn elapsed(&self) -> u64 {
        let elapsed = self.clock.now().saturating_duration_since(self.started);
        u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX)
    }

    /// How long the whole execution has if it must be over then.
    pub(crate) fn time_until(&self, deadline: Instant) -> Duration {
        deadline.saturating_duration_since(self.started)
    }

    /// The trace of what is over.
    pub(crate) fn finish(self, about: &About<'_>) -> Trace {
        let duration_us = self.elapsed();
        let text = |text: &str| self.redactor.text(text).into_owned();
        let capability = about.capability.map(|name| text(&shown_name(name)));
        let intent = about.intent.map(text);
        let error = about.error.map(|error| text(&error.message));
        let calls = self
            .calls
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let console = self.console.into_inner();
        let (console, console_cut) = console.unwrap_or_else(PoisonError::into_inner);
        Trace {
            mode: about.mode,
            state: TraceState::Ended,
            intent,
            capability,
            input: self.given.into_inner().unwrap_or_default(),
            follows: self.follows,
            started_at: self.started_at,
            duration_us,
            ok: about.error.is_none(),
            error_code: about.error.map(|error| error.code),
            error,
            calls: calls
                .all
                .into_iter()
                .map(|entry| entry.ended(duration_us))
                .take(MOST_CALLS)
                .collect(),
            console,
            console_cut,
            id: self.id,
        }
    }

    fn kept(&self, value: &Value) -> Value {
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

impl Entry {
    /// As it is kept, of an execution that took so long. What has no answer then gets none.
    fn ended(self, whole_us: u64) -> TraceCall {
        if self.outcome.is_some() {
            return self.call;
        }
        let duration_us = whole_us.saturating_sub(self.call.started_us);
        let call = self.call.cut_off(self.left, self.writes);
        TraceCall {
            duration_us,
            ..call
        }
    }
}

pub(crate) fn outcome_of(error: Option<&ResultError>) -> Outcome {
    let Some(error) = error else {
        return Outcome::Applied;
    };
    match error.details.get("outcome").and_then(Value::as_str) {
        // Of what happened in part nobody knows in general what is left to do.
        Some("unknown" | PARTIAL) => Outcome::Unknown,
        Some("applied") => Outcome::Applied,
        _ => Outcome::NotApplied,
    }
}

/// A call that begins.
#[derive(Clone, Copy)]
pub(crate) struct Opened<'a> {
    pub(crate) capability: &'a str,
    /// Its full name, where it is code.
    pub(crate) code: Option<&'a Fqdn>,
    /// What it is called where it is asked for.
    pub(crate) step: Option<&'a str>,
    pub(crate) input: &'a Value,
    /// Calls with the same number leave together.
    pub(crate) batch: u32,
    /// The call that it is a part of.
    pub(crate) within: Option<u32>,
    /// It changes something itself.
    pub(crate) writes: bool,
}

impl<'a> Opened<'a> {
    /// Something that is made of others, or was not even tried.
    pub(crate) fn new(capability: &'a str, input: &'a Value, within: Within<'_>) -> Self {
        Self {
            capability,
            code: None,
            step: None,
            input,
            batch: within.recorder.batch(),
            within: within.call,
            writes: false,
        }
    }
}

/// What a trace is about as a whole.
pub(crate) struct About<'a> {
    pub(crate) mode: Mode,
    pub(crate) intent: Option<&'a str>,
    pub(crate) capability: Option<&'a str>,
    pub(crate) error: Option<&'a ResultError>,
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use capstan_core::ResultMeta;
    use capstan_core::port::BoxFuture;

    use super::*;

    struct Still(Instant);

    impl Clock for Still {
        fn now(&self) -> Instant {
            self.0
        }

        fn date(&self) -> SystemTime {
            SystemTime::UNIX_EPOCH
        }

        fn sleep(&self, _: Duration) -> BoxFuture<'_, ()> {
            Box::pin(std::future::ready(()))
        }
    }

    #[test]
    fn writes_are_counted_however_many_calls_there_were() {
        let recorder = Recorder::new(Arc::new(Still(Instant::now())), Redactor::default(), true);
        let open = |within, writes| {
            recorder.open(&Opened {
                writes,
                within,
                ..Opened::new("a.b", &Value::Null, recorder.top())
            })
        };
        for _ in 0..MOST_CALLS {
            open(None, false);
        }
        let code = open(None, false);
        let done = open(Some(code), true);
        let under_way = open(Some(code), true);
        let _never_sent = open(Some(code), true);
        recorder.set_left(&[done, under_way], Operation::Write, true);
        let answered = ResultEnvelope::success(Value::Null, ResultMeta::default());
        recorder.close(done, &answered);
        let writes = recorder.writes(None);
        assert_eq!((writes.done, writes.unknown.len()), (1, 1));
        let told = recorder.interruption();
        assert_eq!((told.done, told.unknown.len(), told.not_sent), (1, 1, 1));
    }

    #[test]
    fn what_a_write_looks_up_beforehand_is_not_the_write() {
        let recorder = Recorder::new(Arc::new(Still(Instant::now())), Redactor::default(), true);
        let write = recorder.open(&Opened {
            writes: true,
            ..Opened::new("a.b", &Value::Null, recorder.top())
        });
        recorder.set_left(&[write], Operation::Read, true);
        assert_eq!(recorder.interruption().not_sent, 1);
        let stages = |leaving: &[u32]| -> Vec<CallStage> {
            let open = recorder.take_unrecorded(leaving);
            open.calls.iter().map(|call| call.stage).collect()
        };
        assert_eq!(stages(&[]), [CallStage::Waiting]);
        assert_eq!(stages(&[]), [], "it is recorded as it is");
        assert_eq!(stages(&[write]), [CallStage::Left]);
        recorder.set_recorded(false);
        assert_eq!(stages(&[write]), [CallStage::Left]);
        recorder.record_answer(write, Some(&json!(1)), None);
        assert_eq!(stages(&[]), [CallStage::Answered]);
    }
}
