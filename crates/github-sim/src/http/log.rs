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
    /// Root fields of the GraphQL operation, by field name and in document order.
    pub root_fields: Vec<String>,
    /// Status that was answered; `None` while pending, and for ever if it was hung or reset.
    pub status: Option<u16>,
    /// A write that changed the world.
    pub applied: bool,
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
    seen: Vec<SeenRequest>,
}

impl RequestLog {
    pub(crate) fn begin(&self, request: SeenRequest) -> Entry {
        let mut state = self.lock();
        state.seen.push(request);
        Entry {
            generation: state.generation,
            index: state.seen.len() - 1,
        }
    }

    pub(crate) fn applied(&self, entry: Entry) {
        self.update(entry, |request| request.applied = true);
    }

    pub(crate) fn answered(&self, entry: Entry, status: u16) {
        self.update(entry, |request| request.status = Some(status));
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
