//! The state of a run that the engine's callbacks and the driver share.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use capstan_core::code::{ConsoleLine, Limits, Stopped};
use rquickjs::{Persistent, Value};

use super::bounds::MAX_PENDING_INPUT_BYTES;
use super::cpu;
use super::stack::CodeSource;
use crate::clock;
use crate::wire::{CallRoot, LEVELS, MAX_WARNINGS, OutgoingCall};

#[derive(Default)]
pub(super) struct SharedState {
    stopped: Cell<Option<Stopped>>,
    budget: Cell<Option<Budget>>,
    jobs: Cell<u32>,
    /// How much stack the code may use, in bytes; 0 before it begins.
    pub(super) stack_bytes: Cell<usize>,
    /// Whether the code has its result. Then it can call nothing more.
    pub(super) is_settled: Cell<bool>,
    pub(super) source: CodeSource,
    pub(super) console: RefCell<Console>,
    pub(super) warnings: RefCell<Warnings>,
    pub(super) calls: RefCell<CallQueue>,
    pub(super) timers: RefCell<Timers>,
    pub(super) rejections: RefCell<Rejections>,
}

#[derive(Clone, Copy)]
struct Budget {
    deadline: Duration,
    cpu_started: Duration,
    cpu: Duration,
}

#[derive(Default)]
pub(super) struct Console {
    lines: Vec<ConsoleLine>,
    room_bytes: usize,
    pub(super) is_cut: bool,
}

/// Warnings for the author of the code, by the call that each is about.
#[derive(Default)]
pub(super) struct Warnings(BTreeMap<u32, String>);

#[derive(Default)]
pub(super) struct CallQueue {
    remaining: u32,
    last_id: u32,
    outgoing: Vec<OutgoingCall>,
    aborted: Vec<u32>,
    /// The unanswered calls, with the size of their inputs in bytes.
    pending: HashMap<u32, usize>,
    pending_bytes: usize,
}

#[derive(Default)]
pub(super) struct Timers {
    last_id: u32,
    due: BTreeSet<(Instant, u32)>,
}

type KeptValue = Persistent<Value<'static>>;

/// Promises that were rejected while nobody handled them, numbered in order.
#[derive(Default)]
pub(super) struct Rejections {
    count: u64,
    unhandled: HashMap<KeptValue, (u64, KeptValue)>,
}

impl SharedState {
    const JOBS_BETWEEN_CHECKS: u32 = 256;

    pub(super) fn start_budget(&self, limits: &Limits, deadline: Duration) {
        self.budget.set(Some(Budget {
            deadline,
            cpu_started: cpu::used(),
            cpu: limits.cpu,
        }));
        self.console.borrow_mut().room_bytes =
            usize::try_from(limits.console_bytes).unwrap_or(usize::MAX);
        self.calls.borrow_mut().remaining = limits.calls;
    }

    pub(super) fn cpu_used(&self) -> Duration {
        match self.budget.get() {
            Some(budget) => cpu::used().saturating_sub(budget.cpu_started),
            None => Duration::ZERO,
        }
    }

    pub(super) fn stop(&self, reason: Stopped) {
        if self.stopped.get().is_none() {
            self.stopped.set(Some(reason));
        }
    }

    pub(super) fn stopped(&self) -> Option<Stopped> {
        self.stopped.get()
    }

    /// Counts a job and checks the limits from time to time. The engine checks them while code
    /// runs, but not between short jobs.
    pub(super) fn record_job(&self) {
        self.jobs.set(self.jobs.get().wrapping_add(1));
        if self.jobs.get().is_multiple_of(Self::JOBS_BETWEEN_CHECKS) {
            self.check_limits();
        }
    }

    /// Checks the limits; returns whether the code has to end. Once `true`, it stays `true`.
    pub(super) fn check_limits(&self) -> bool {
        if let Some(budget) = self.budget.get() {
            if cpu::used().saturating_sub(budget.cpu_started) >= budget.cpu {
                self.stop(Stopped::Cpu);
            } else if clock::now() >= budget.deadline {
                self.stop(Stopped::Wall);
            }
        }
        self.stopped.get().is_some()
    }
}

impl Console {
    pub(super) fn room_bytes(&self) -> usize {
        self.room_bytes
    }

    /// Appends a line, which takes the bytes of its text and one more.
    pub(super) fn write(&mut self, level: usize, mut text: String) {
        if self.room_bytes == 0 {
            self.is_cut = true;
            return;
        }
        if text.len() >= self.room_bytes {
            self.is_cut = true;
            text.truncate(text.floor_char_boundary(self.room_bytes));
        }
        self.room_bytes = self.room_bytes.saturating_sub(text.len() + 1);
        let level = LEVELS.get(level).copied().unwrap_or(LEVELS[0]);
        self.lines.push(ConsoleLine {
            level: level.to_owned(),
            text,
        });
    }

    pub(super) fn take(&mut self) -> Vec<ConsoleLine> {
        std::mem::take(&mut self.lines)
    }
}

impl Warnings {
    pub(super) fn add(&mut self, call: u32, text: String) {
        self.0.insert(call, text);
    }

    pub(super) fn remove(&mut self, call: u32) {
        self.0.remove(&call);
    }

    /// Takes the warnings in the order of calls, each text once; the last line counts those left
    /// out.
    pub(super) fn take(&mut self) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        let mut more = 0_usize;
        for text in std::mem::take(&mut self.0).into_values() {
            if texts.contains(&text) {
                continue;
            }
            if texts.len() < MAX_WARNINGS {
                texts.push(text);
            } else {
                more += 1;
            }
        }
        if more > 0 {
            texts.push(format!("and {more} more like these"));
        }
        texts
    }
}

impl CallQueue {
    /// Queues a call and returns its number; fails if there are too many calls, or if their inputs
    /// are too large together.
    pub(super) fn enqueue(
        &mut self,
        root: CallRoot,
        path: String,
        input: String,
        timeout_ms: u32,
    ) -> Result<u32, CallRefusal> {
        if self.remaining == 0 {
            return Err(CallRefusal::TooMany);
        }
        if self.pending_bytes + input.len() > MAX_PENDING_INPUT_BYTES {
            return Err(CallRefusal::TooLarge);
        }
        self.remaining -= 1;
        self.last_id += 1;
        self.pending_bytes += input.len();
        self.pending.insert(self.last_id, input.len());
        self.outgoing.push(OutgoingCall {
            id: self.last_id,
            root,
            path,
            input,
            timeout_ms,
        });
        Ok(self.last_id)
    }

    /// Aborts a call whose answer the code does not want any more.
    pub(super) fn abort(&mut self, id: u32) {
        if self.pending.contains_key(&id) {
            self.aborted.push(id);
        }
    }

    pub(super) fn take_aborted(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.aborted)
    }

    pub(super) fn take(&mut self) -> Vec<OutgoingCall> {
        std::mem::take(&mut self.outgoing)
    }

    pub(super) fn remove_pending(&mut self, id: u32) -> bool {
        match self.pending.remove(&id) {
            Some(bytes) => {
                self.pending_bytes -= bytes;
                true
            }
            None => false,
        }
    }

    pub(super) fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }
}

pub(super) enum CallRefusal {
    TooMany,
    TooLarge,
}

impl Timers {
    const MAX_TIMERS: usize = 1000;

    pub(super) fn add(&mut self, delay: Duration) -> Option<u32> {
        if self.due.len() >= Self::MAX_TIMERS {
            return None;
        }
        self.last_id = self.last_id.checked_add(1)?;
        self.due.insert((Instant::now() + delay, self.last_id));
        Some(self.last_id)
    }

    pub(super) fn clear(&mut self, id: u32) {
        self.due.retain(|(_, known)| *known != id);
    }

    /// Removes all timers.
    pub(super) fn clear_all(&mut self) {
        self.due.clear();
    }

    /// Returns the time until the next timer is due.
    pub(super) fn until_next(&self) -> Option<Duration> {
        let (due, _) = self.due.first()?;
        Some(due.saturating_duration_since(Instant::now()))
    }

    pub(super) fn take_due(&mut self) -> Option<u32> {
        let first = *self.due.first()?;
        if first.0 > Instant::now() {
            return None;
        }
        self.due.remove(&first);
        Some(first.1)
    }
}

impl Rejections {
    pub(super) fn record_rejected(&mut self, promise: KeptValue, reason: KeptValue) {
        self.count += 1;
        self.unhandled.insert(promise, (self.count, reason));
    }

    pub(super) fn record_handled(&mut self, promise: &KeptValue) {
        self.unhandled.remove(promise);
    }

    /// Returns the reason of the first unhandled rejection.
    pub(super) fn first_unhandled(&self) -> Option<KeptValue> {
        let first = self.unhandled.values().min_by_key(|(count, _)| *count);
        first.map(|(_, reason)| reason.clone())
    }

    /// Drops all values of the engine, which must happen before the engine is dropped.
    pub(super) fn clear(&mut self) {
        self.unhandled.clear();
    }
}
