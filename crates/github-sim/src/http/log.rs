//! The request log: what each HTTP request was, how it was answered and whether it changed the world.

use std::sync::{Mutex, PoisonError};

use serde::Serialize;

/// Which of GitHub's two APIs a request addressed, or its storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    Graphql,
    Rest,
    /// The host that serves downloads under signed addresses.
    Storage,
}

/// Whether a request reads or writes.
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
    /// Path and query of the request line.
    pub path: String,
    pub operation: Operation,
    /// The name of the GraphQL operation that ran.
    pub operation_name: Option<String>,
    /// Names of the root fields of the GraphQL operation, in document order, including those in fragments.
    pub root_fields: Vec<String>,
    /// Aliases of the root fields, in the same order. A field without an alias has its name here.
    pub aliases: Vec<String>,
    /// The response status; `None` while the request is open, and for requests that were hung or reset.
    pub status: Option<u16>,
    /// Whether the request is a write that changed the world.
    pub applied: bool,
    /// Aliases of the mutation fields that changed the world, in document order.
    pub applied_fields: Vec<String>,
    /// When the request was received completely: a counter that increases at every start and end of a request.
    pub started: u64,
    /// When the response was sent or either side closed the connection, by the same counter; `None` before that.
    pub finished: Option<u64>,
}

impl SeenRequest {
    /// Returns whether a root field has this name or alias.
    pub fn has_root(&self, name: &str) -> bool {
        let mut names = self.root_fields.iter().chain(&self.aliases);
        names.any(|known| known == name)
    }

    /// Returns the aliases of the root fields with this name or alias.
    pub(crate) fn aliases_of(&self, name: &str) -> Vec<String> {
        let fields = self.root_fields.iter().zip(&self.aliases);
        fields
            .filter(|(field, alias)| *field == name || *alias == name)
            .map(|(_, alias)| alias.clone())
            .collect()
    }

    /// Returns whether both requests were open at the same time.
    pub fn overlaps(&self, other: &Self) -> bool {
        let before =
            |first: &Self, then: &Self| first.finished.is_some_and(|end| end < then.started);
        !before(self, other) && !before(other, self)
    }
}

/// The position of a request in the log. After `clear` it refers to nothing rather than to a newer request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LogEntryId {
    generation: u64,
    index: usize,
}

/// The requests seen since the last `clear`.
#[derive(Debug, Default)]
pub(crate) struct RequestLog {
    state: Mutex<LogState>,
}

#[derive(Debug, Default)]
struct LogState {
    generation: u64,
    /// Not reset by `clear`, so that an old request never seems later than a new one.
    sequence: u64,
    seen: Vec<SeenRequest>,
}

impl RequestLog {
    /// Records the start of a request.
    pub(crate) fn record_started(&self, mut request: SeenRequest) -> LogEntryId {
        let mut state = self.lock();
        request.started = state.tick();
        state.seen.push(request);
        LogEntryId {
            generation: state.generation,
            index: state.seen.len() - 1,
        }
    }

    /// Records that the request changed the world; `fields` are the aliases of the mutation fields that did.
    pub(crate) fn record_applied(&self, entry: LogEntryId, fields: Vec<String>) {
        self.update(entry, |request| {
            request.applied = true;
            request.applied_fields = fields;
        });
    }

    pub(crate) fn record_status(&self, entry: LogEntryId, status: u16) {
        self.update(entry, |request| request.status = Some(status));
    }

    pub(crate) fn record_finished(&self, entry: LogEntryId) {
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

    fn update(&self, entry: LogEntryId, change: impl FnOnce(&mut SeenRequest)) {
        let mut state = self.lock();
        if state.generation == entry.generation
            && let Some(request) = state.seen.get_mut(entry.index)
        {
            change(request);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, LogState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LogState {
    fn tick(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }
}
