//! The port to how far runs of skills are. Part of the store, and under its rule: what is answered
//! would survive the end of the process. What is asked for a run is done in the order in which it was
//! asked, whether or not the answers are waited for.

use super::{BoxFuture, StoreError, Viewer};
use crate::code::{Timestamp, TraceId};
use crate::run::{NewRun, Noted, RunEnd, RunState, RunStep, RunSummary, RunTurn, SkillRun};

type Answer<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

pub trait Runs: Send + Sync {
    /// A run begins, as its first attempt. Nobody else sees it, and they see it in the same scope
    /// only.
    fn begin_run<'a>(&'a self, viewer: &'a Viewer, run: NewRun) -> Answer<'a, ()>;

    /// Records what became of steps, all of it or nothing. A write is recorded as `Started`, and that
    /// is answered, before it leaves. It is refused where the step is done, or left and has no end: it
    /// would be sent twice.
    ///
    /// Where the turn is over, one thing is still kept: how a write ended that this attempt sent. A
    /// step that the present attempt believes not to be done then counts as done, so that it is not
    /// sent again; what the present attempt recorded itself is not changed.
    fn note_steps<'a>(&'a self, turn: &'a RunTurn, steps: Vec<RunStep>) -> Answer<'a, Noted>;

    /// A run is over. Of one that ended well, what its steps gave is forgotten. Refused if the turn is
    /// over.
    fn end_run<'a>(&'a self, turn: &'a RunTurn, end: RunEnd) -> Answer<'a, ()>;

    /// Takes one of somebody's own runs over and records what they say about its steps, if the run is
    /// still as it was seen: the same attempt and the same revision. Otherwise nothing happens, the
    /// answer is `None`, and whoever wants the run has to look at it again. What was decided on the
    /// journal is therefore decided on the journal as of the take-over. A run that ended well cannot be
    /// taken over.
    fn take_over_run<'a>(
        &'a self,
        viewer: &'a Viewer,
        seen: &'a RunTurn,
        revision: u64,
        steps: Vec<RunStep>,
        at: Timestamp,
    ) -> Answer<'a, Option<RunTurn>>;

    /// One of somebody's own by its id, or by an unambiguous beginning of it.
    fn run<'a>(&'a self, viewer: &'a Viewer, id: &'a str) -> Answer<'a, Option<SkillRun>>;

    /// Somebody's own, newest first.
    fn runs<'a>(&'a self, viewer: &'a Viewer, filter: &'a RunFilter)
    -> Answer<'a, Vec<RunSummary>>;
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunFilter {
    /// By its name, in every version.
    pub skill: Option<String>,
    pub state: Option<RunState>,
    pub limit: Option<u64>,
    /// Only older ones.
    pub before: Option<TraceId>,
}
