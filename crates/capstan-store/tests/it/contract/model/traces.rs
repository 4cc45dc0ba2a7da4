//! Traces in the model. Each belongs to one viewer.

use capstan_core::code::{Trace, TraceId, TraceSummary};
use capstan_core::port::Viewer;

use super::{ErrorKind, ModelResult};

#[derive(Default)]
pub(crate) struct Traces(Vec<(Viewer, Trace)>);

impl Traces {
    pub(crate) fn add(&mut self, viewer: &Viewer, trace: Trace) {
        self.0.push((viewer.clone(), trace));
    }

    /// Returns all traces with their viewers.
    pub(crate) fn all(&self) -> Vec<(Viewer, Trace)> {
        self.0.clone()
    }

    /// Returns the ids of all traces of all viewers.
    pub(crate) fn ids(&self) -> Vec<String> {
        self.0.iter().map(|(_, it)| it.id.to_string()).collect()
    }

    pub(crate) fn list(&self, viewer: &Viewer) -> Vec<TraceSummary> {
        let mut own = self.own(viewer);
        own.sort_by(|one, other| other.id.cmp(&one.id));
        own.into_iter().map(summary).collect()
    }

    pub(crate) fn get(&self, viewer: &Viewer, beginning: &str) -> ModelResult<Option<Trace>> {
        let mut own = self.own(viewer);
        own.retain(|it| it.id.as_str().starts_with(beginning));
        let whole = own.iter().find(|it| it.id.as_str() == beginning);
        match (whole, &own[..]) {
            (Some(it), _) | (None, [it]) => Ok(Some((*it).clone())),
            (None, []) => Ok(None),
            (None, _) => Err(ErrorKind::Refused),
        }
    }

    /// Returns the ids of the deleted traces.
    pub(super) fn prune(&mut self, viewer: &Viewer, keep: usize) -> Vec<TraceId> {
        let gone: Vec<_> = self
            .list(viewer)
            .into_iter()
            .skip(keep)
            .map(|it| it.id)
            .collect();
        self.0.retain(|(_, it)| !gone.contains(&it.id));
        gone
    }

    fn own(&self, viewer: &Viewer) -> Vec<&Trace> {
        let own = self.0.iter().filter(|(of, _)| of == viewer);
        own.map(|(_, it)| it).collect()
    }
}

fn summary(of: &Trace) -> TraceSummary {
    TraceSummary {
        id: of.id.clone(),
        mode: of.mode,
        state: of.state,
        intent: of.intent.clone(),
        capability: of.capability.clone(),
        started_at: of.started_at,
        duration_us: of.duration_us,
        ok: of.ok,
        error_code: of.error_code,
        calls: of.calls.len() as u64,
    }
}
