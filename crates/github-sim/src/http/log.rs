//! The request log: what every HTTP request was, how it was answered and whether it changed the world.

use std::sync::{Mutex, PoisonError};

use serde::Serialize;

/// Which of GitHub's two APIs a request addressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    Graphql,
    Rest,
}

/// Whether a request asks for something or changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    Read,
    Write,
}

/// One request as the simulator saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SeenRequest {
    pub transport: Transport,
    pub method: String,
    /// Path and query as they stood in the request line.
    pub path: String,
    pub operation: Operation,
    /// Name of the GraphQL operation that ran.
    pub operation_name: Option<String>,
    /// Root fields of the GraphQL operation, by field name and in document order; those in fragments too.
    pub root_fields: Vec<String>,
    /// The aliases of the root fields, in the same order; a field without one has its name here.
    pub aliases: Vec<String>,
    /// Status that was answered; `None` while pending, and for ever if it was hung or reset.
    pub status: Option<u16>,
    /// A write that changed the world.
    pub applied: bool,
    /// The root fields of a GraphQL mutation that changed the world, by alias and in order.
    pub applied_fields: Vec<String>,
    /// When the request had come in whole: a number that counts up with every beginning and end of a request.
    pub started: u64,
    /// When its answer went out or its connection was given up, by either side; `None` before that.
    pub finished: Option<u64>,
}

impl SeenRequest {
    /// Whether one of the root fields has this name or alias.
    pub fn has_root(&self, name: &str) -> bool {
        let mut names = self.root_fields.iter().chain(&self.aliases);
        names.any(|known| known == name)
    }

    /// The aliases of the root fields with this name or alias.
    pub(crate) fn aliases_of(&self, name: &str) -> Vec<String> {
        let fields = self.root_fields.iter().zip(&self.aliases);
        fields
            .filter(|(field, alias)| *field == name || *alias == name)
            .map(|(_, alias)| alias.clone())
            .collect()
    }

    /// Whether both were under way at the same time.
    pub fn overlaps(&self, other: &Self) -> bool {
        let before =
            |first: &Self, then: &Self| first.finished.is_some_and(|end| end < then.started);
        !before(self, other) && !before(other, self)
    }
}

/// Where an entry stands in the log; survives `clear` without pointing at a newer request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    generation: u64,
    index: usize,
}

#[derive(Debug, Default)]
pub(crate) struct RequestLog {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    generation: u64,
    /// Goes on over `clear`, so that what is left of an old request never seems later than a new one.
    sequence: u64,
    seen: Vec<SeenRequest>,
}

impl RequestLog {
    pub(crate) fn begin(&self, mut request: SeenRequest) -> Entry {
        let mut state = self.lock();
        request.started = state.tick();
        state.seen.push(request);
        Entry {
            generation: state.generation,
            index: state.seen.len() - 1,
        }
    }

    /// The request changed the world, by these of its root fields if it is a GraphQL mutation.
    pub(crate) fn applied(&self, entry: Entry, fields: Vec<String>) {
        self.update(entry, |request| {
            request.applied = true;
            request.applied_fields = fields;
        });
    }

    pub(crate) fn answered(&self, entry: Entry, status: u16) {
        self.update(entry, |request| request.status = Some(status));
    }

    pub(crate) fn finished(&self, entry: Entry) {
        let now = self.lock().tick();
        self.update(entry, |request| request.finished = Some(now));
    }

    pub(crate) fn all(&self) -> Vec<SeenRequest> {
        self.lock().seen.clone()
    }

    pub(crate) fn clear(&self) {
        let mut state = self.lock();
        state.generation += 1;
        state.seen.clear();
    }

    fn update(&self, entry: Entry, change: impl FnOnce(&mut SeenRequest)) {
        let mut state = self.lock();
        if state.generation == entry.generation
            && let Some(request) = state.seen.get_mut(entry.index)
        {
            change(request);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn tick(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }
}
