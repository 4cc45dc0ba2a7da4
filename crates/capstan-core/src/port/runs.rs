//! The port to the journal of skill runs. It is part of the store and follows its rule: an
//! acknowledged change survives the end of the process. Calls for a run are executed in their
//! order, whether or not the answers are awaited.

use super::{BoxFuture, StoreError, Viewer};
use crate::code::{Timestamp, TraceId};
use crate::run::{NewRun, Noted, RunEnd, RunState, RunStep, RunSummary, RunTurn, SkillRun};

type Answer<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

pub trait Runs: Send + Sync {
    /// Begins a run as its first attempt. Only the viewer sees it, and only in the same scope.
    fn begin_run<'a>(&'a self, viewer: &'a Viewer, run: NewRun) -> Answer<'a, ()>;

    /// Records the states of steps, all of them or none. A write is recorded as `Started`, and that
    /// is acknowledged, before it is sent. It is refused if the step is done, or was sent and has
    /// no recorded end: it would be sent twice.
    ///
    /// If the turn is over, one thing is still stored: how a write ended that this attempt sent. A
    /// step that the current attempt considers not done then counts as done, so that it is not sent
    /// again. Records of the current attempt are not changed.
    fn note_steps<'a>(&'a self, turn: &'a RunTurn, steps: Vec<RunStep>) -> Answer<'a, Noted>;

    /// Ends a run. After a successful run, the outputs of its steps are deleted. It is refused if
    /// the turn is over.
    fn end_run<'a>(&'a self, turn: &'a RunTurn, end: RunEnd) -> Answer<'a, ()>;

    /// Takes over one of the viewer's own runs and records what they decided about its steps, if
    /// the attempt and the revision are still the given ones. Otherwise nothing happens, the answer
    /// is `None`, and the caller has to read the run again. So a decision always applies to the
    /// journal on which it was based. A successful run cannot be taken over.
    fn take_over_run<'a>(
        &'a self,
        viewer: &'a Viewer,
        seen: &'a RunTurn,
        revision: u64,
        steps: Vec<RunStep>,
        at: Timestamp,
    ) -> Answer<'a, Option<RunTurn>>;

    /// Returns one of the viewer's own runs by its id or an unambiguous prefix.
    fn run<'a>(&'a self, viewer: &'a Viewer, id: &'a str) -> Answer<'a, Option<SkillRun>>;

    /// Returns the viewer's own runs, newest first.
    fn runs<'a>(&'a self, viewer: &'a Viewer, filter: &'a RunFilter)
    -> Answer<'a, Vec<RunSummary>>;
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunFilter {
    /// The name of the skill, in every version.
    pub skill: Option<String>,
    pub state: Option<RunState>,
    pub limit: Option<u64>,
    /// Only runs older than this one.
    pub before: Option<TraceId>,
}
