//! What a run has done so far: the part of it that the engine's callbacks and its driver both see.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use capstan_core::code::{ConsoleLine, Limits, Stopped};
use rquickjs::{Persistent, Value};

use super::bounds::LARGEST_INPUTS;
use super::cpu;
use super::stack::Source;
use crate::clock;
use crate::wire::{CallMade, LEVELS, MOST_WARNINGS, Root};

#[derive(Default)]
pub(super) struct Shared {
    stopped: Cell<Option<Stopped>>,
    budget: Cell<Option<Budget>>,
    jobs: Cell<u32>,
    /// How much stack the code may use; 0 before it begins.
    pub(super) stack_bytes: Cell<usize>,
    /// The code has its result: it can call nothing more.
    pub(super) settled: Cell<bool>,
    pub(super) source: Source,
    pub(super) console: RefCell<Console>,
    pub(super) warnings: RefCell<Warnings>,
    pub(super) calls: RefCell<Calls>,
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
    room: usize,
    pub(super) cut: bool,
}

/// What whoever wrote the code should hear, by the call that it is about.
#[derive(Default)]
pub(super) struct Warnings(BTreeMap<u32, String>);

#[derive(Default)]
pub(super) struct Calls {
    left: u32,
    made: u32,
    out: Vec<CallMade>,
    aborted: Vec<u32>,
    /// Those that are not answered, and how large their inputs are.
    pending: HashMap<u32, usize>,
    bytes: usize,
}

#[derive(Default)]
pub(super) struct Timers {
    last: u32,
    due: BTreeSet<(Instant, u32)>,
}

type Kept = Persistent<Value<'static>>;

/// Promises that were rejected while nobody handled them, in the order in which it happened.
#[derive(Default)]
pub(super) struct Rejections {
    count: u64,
    unhandled: HashMap<Kept, (u64, Kept)>,
}

impl Shared {
    const JOBS_BETWEEN_LOOKS: u32 = 256;

    pub(super) fn arm(&self, limits: &Limits, deadline: Duration) {
        self.budget.set(Some(Budget {
            deadline,
            cpu_started: cpu::used(),
            cpu: limits.cpu,
        }));
        self.console.borrow_mut().room =
            usize::try_from(limits.console_bytes).unwrap_or(usize::MAX);
        self.calls.borrow_mut().left = limits.calls;
    }

    pub(super) fn cpu_used(&self) -> Duration {
        match self.budget.get() {
            Some(budget) => cpu::used().saturating_sub(budget.cpu_started),
            None => Duration::ZERO,
        }
    }

    pub(super) fn stop(&self, why: Stopped) {
        if self.stopped.get().is_none() {
            self.stopped.set(Some(why));
        }
    }

    pub(super) fn stopped(&self) -> Option<Stopped> {
        self.stopped.get()
    }

    /// The engine looks at the clocks while code runs; jobs that are short have to be counted.
    pub(super) fn job_ran(&self) {
        self.jobs.set(self.jobs.get().wrapping_add(1));
        if self.jobs.get().is_multiple_of(Self::JOBS_BETWEEN_LOOKS) {
            self.must_stop();
        }
    }

    /// Whether the code has to end. Once it has to, it always has to.
    pub(super) fn must_stop(&self) -> bool {
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
    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// A line takes its text and one byte more.
    pub(super) fn write(&mut self, level: usize, mut text: String) {
        if self.room == 0 {
            self.cut = true;
            return;
        }
        if text.len() >= self.room {
            self.cut = true;
            text.truncate(text.floor_char_boundary(self.room));
        }
        self.room = self.room.saturating_sub(text.len() + 1);
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

    /// In the order of the calls, each text once, and of the last ones how many there are.
    pub(super) fn take(&mut self) -> Vec<String> {
        let mut told: Vec<String> = Vec::new();
        let mut more = 0_usize;
        for text in std::mem::take(&mut self.0).into_values() {
            if told.contains(&text) {
                continue;
            }
            if told.len() < MOST_WARNINGS {
                told.push(text);
            } else {
                more += 1;
            }
        }
        if more > 0 {
            told.push(format!("and {more} more like these"));
        }
        told
    }
}

impl Calls {
    /// The number of the call; nothing if there were too many, or if they are too large together.
    pub(super) fn make(
        &mut self,
        root: Root,
        path: String,
        input: String,
        timeout_ms: u32,
    ) -> Result<u32, NoCall> {
        if self.left == 0 {
            return Err(NoCall::TooMany);
        }
        if self.bytes + input.len() > LARGEST_INPUTS {
            return Err(NoCall::TooLarge);
        }
        self.left -= 1;
        self.made += 1;
        self.bytes += input.len();
        self.pending.insert(self.made, input.len());
        self.out.push(CallMade {
            id: self.made,
            root,
            path,
            input,
            timeout_ms,
        });
        Ok(self.made)
    }

    /// The code does not want the answer of this call any more.
    pub(super) fn abort(&mut self, id: u32) {
        if self.pending.contains_key(&id) {
            self.aborted.push(id);
        }
    }

    pub(super) fn take_aborted(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.aborted)
    }

    pub(super) fn take(&mut self) -> Vec<CallMade> {
        std::mem::take(&mut self.out)
    }

    pub(super) fn answered(&mut self, id: u32) -> bool {
        match self.pending.remove(&id) {
            Some(bytes) => {
                self.bytes -= bytes;
                true
            }
            None => false,
        }
    }

    pub(super) fn any_pending(&self) -> bool {
        !self.pending.is_empty()
    }
}

pub(super) enum NoCall {
    TooMany,
    TooLarge,
}

impl Timers {
    const MOST: usize = 1000;

    pub(super) fn add(&mut self, delay: Duration) -> Option<u32> {
        if self.due.len() >= Self::MOST {
            return None;
        }
        self.last = self.last.checked_add(1)?;
        self.due.insert((Instant::now() + delay, self.last));
        Some(self.last)
    }

    pub(super) fn clear(&mut self, id: u32) {
        self.due.retain(|(_, known)| *known != id);
    }

    /// None of them fires any more.
    pub(super) fn forget(&mut self) {
        self.due.clear();
    }

    /// How long until the next one.
    pub(super) fn next(&self) -> Option<Duration> {
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
    pub(super) fn rejected(&mut self, promise: Kept, reason: Kept) {
        self.count += 1;
        self.unhandled.insert(promise, (self.count, reason));
    }

    pub(super) fn handled(&mut self, promise: &Kept) {
        self.unhandled.remove(promise);
    }

    /// The first that nobody handled.
    pub(super) fn first(&self) -> Option<Kept> {
        let first = self.unhandled.values().min_by_key(|(count, _)| *count);
        first.map(|(_, reason)| reason.clone())
    }

    /// They hold values of the engine, which must be gone before it goes.
    pub(super) fn clear(&mut self) {
        self.unhandled.clear();
    }
}
