//! What can be asked and done about runs of skills.

use capstan_core::code::Timestamp;
use capstan_core::port::{RunFilter, Runs, Viewer};
use capstan_core::run::{NewRun, RunEnd, RunStep, RunSummary, RunTurn, SkillRun};

use super::{Answer, SqliteStore};
use crate::runs;

impl Runs for SqliteStore {
    fn begin_run<'a>(&'a self, viewer: &'a Viewer, run: NewRun) -> Answer<'a, ()> {
        let viewer = viewer.clone();
        self.write(move |connection| runs::begin(connection, &viewer, &run))
    }

    fn note_steps<'a>(&'a self, turn: &'a RunTurn, steps: Vec<RunStep>) -> Answer<'a, ()> {
        let turn = turn.clone();
        self.write(move |connection| runs::note(connection, &turn, &steps))
    }

    fn end_run<'a>(&'a self, turn: &'a RunTurn, end: RunEnd) -> Answer<'a, ()> {
        let turn = turn.clone();
        self.write(move |connection| runs::end(connection, &turn, &end))
    }

    fn take_over_run<'a>(
        &'a self,
        viewer: &'a Viewer,
        turn: &'a RunTurn,
        steps: Vec<RunStep>,
        at: Timestamp,
    ) -> Answer<'a, RunTurn> {
        let (viewer, turn) = (viewer.clone(), turn.clone());
        self.write(move |connection| runs::take_over(connection, &viewer, &turn, &steps, at))
    }

    fn run<'a>(&'a self, viewer: &'a Viewer, id: &'a str) -> Answer<'a, Option<SkillRun>> {
        let (viewer, id) = (viewer.clone(), id.to_owned());
        self.read(Ok(None), move |connection| {
            runs::get(connection, &viewer, &id)
        })
    }

    fn runs<'a>(
        &'a self,
        viewer: &'a Viewer,
        filter: &'a RunFilter,
    ) -> Answer<'a, Vec<RunSummary>> {
        let (viewer, filter) = (viewer.clone(), filter.clone());
        self.read(Ok(Vec::new()), move |connection| {
            runs::list(connection, &viewer, &filter)
        })
    }
}
