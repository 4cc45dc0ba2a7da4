//! The port to how far runs of skills are. Part of the store, and under its rule: what is answered
//! would survive the end of the process. What is asked for a run is done in the order in which it was
//! asked, whether or not the answers are waited for.

use super::{BoxFuture, StoreError, Viewer};
use crate::code::{Timestamp, TraceId};
use crate::run::{NewRun, RunEnd, RunState, RunStep, RunSummary, RunTurn, SkillRun};

type Answer<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

pub trait Runs: Send + Sync {
    /// A run begins, as its first attempt. Nobody else sees it, and they see it in the same scope
    /// only.
    fn begin_run<'a>(&'a self, viewer: &'a Viewer, run: NewRun) -> Answer<'a, ()>;

    /// What became of steps; replaces what was known of them. Refused if the turn is over, all
    /// of it.
    fn note_steps<'a>(&'a self, turn: &'a RunTurn, steps: Vec<RunStep>) -> Answer<'a, ()>;

    /// A run is over. Of one that ended well, what its steps gave is forgotten. Refused if the turn is
    /// over.
    fn end_run<'a>(&'a self, turn: &'a RunTurn, end: RunEnd) -> Answer<'a, ()>;

    /// Takes one of somebody's own runs over, from whoever had it at this turn, and notes what is known
    /// of steps by now. Refused if that turn is over, and if the run ended well.
    fn take_over_run<'a>(
        &'a self,
        viewer: &'a Viewer,
        turn: &'a RunTurn,
        steps: Vec<RunStep>,
        at: Timestamp,
    ) -> Answer<'a, RunTurn>;

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
