//! The `Runs` port: runs of skills.

use std::sync::Arc;

use capstan_core::code::Timestamp;
use capstan_core::port::{RunFilter, Runs, Viewer};
use capstan_core::run::{NewRun, Noted, RunEnd, RunStep, RunSummary, RunTurn, SkillRun};

use super::{SqliteStore, StoreFuture};
use crate::runs;

impl Runs for SqliteStore {
    fn begin_run<'a>(&'a self, viewer: &'a Viewer, run: NewRun) -> StoreFuture<'a, ()> {
        let (viewer, process) = (viewer.clone(), Arc::clone(&self.process));
        self.write(move |connection| runs::begin(connection, &viewer, &run, &process))
    }

    fn note_steps<'a>(&'a self, turn: &'a RunTurn, steps: Vec<RunStep>) -> StoreFuture<'a, Noted> {
        let turn = turn.clone();
        self.write(move |connection| runs::record_steps(connection, &turn, &steps))
    }

    fn end_run<'a>(&'a self, turn: &'a RunTurn, end: RunEnd) -> StoreFuture<'a, ()> {
        let turn = turn.clone();
        self.write(move |connection| runs::end(connection, &turn, &end))
    }

    fn take_over_run<'a>(
        &'a self,
        viewer: &'a Viewer,
        seen: &'a RunTurn,
        revision: u64,
        steps: Vec<RunStep>,
        at: Timestamp,
    ) -> StoreFuture<'a, Option<RunTurn>> {
        let (viewer, seen) = (viewer.clone(), seen.clone());
        let process = Arc::clone(&self.process);
        self.write(move |connection| {
            let (seen, by) = ((&seen, revision), (&*process, at));
            runs::take_over(connection, &viewer, seen, &steps, by)
        })
    }

    fn run<'a>(&'a self, viewer: &'a Viewer, id: &'a str) -> StoreFuture<'a, Option<SkillRun>> {
        let (viewer, id) = (viewer.clone(), id.to_owned());
        let process = Arc::clone(&self.process);
        self.read(Ok(None), move |connection| {
            runs::get(connection, &viewer, &id, &process)
        })
    }

    fn runs<'a>(
        &'a self,
        viewer: &'a Viewer,
        filter: &'a RunFilter,
    ) -> StoreFuture<'a, Vec<RunSummary>> {
        let (viewer, filter) = (viewer.clone(), filter.clone());
        let process = Arc::clone(&self.process);
        self.read(Ok(Vec::new()), move |connection| {
            runs::list(connection, &viewer, &filter, &process)
        })
    }
}
