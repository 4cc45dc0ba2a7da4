//! The pending work of a skill's run: steps that were sent, and pauses before a retry.

use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::{Either, select};
use futures_util::stream::FuturesUnordered;

use capstan_core::port::BoxFuture;

use super::SkillRunner;
use super::launch::{Job, launch};
use crate::step_result::StepResult;

/// A piece of pending work that has ended.
pub(super) enum WorkEvent<'a> {
    /// Steps have results, by node.
    Finished(Vec<(usize, StepResult)>),
    /// A pause is over; this job is to be tried again.
    RetryDue(Box<Job<'a>>),
}

/// The jobs that are under way.
#[derive(Default)]
pub(super) struct PendingWork<'a> {
    /// Work that can be dropped when the run stops: reads and pauses.
    droppable: FuturesUnordered<BoxFuture<'a, WorkEvent<'a>>>,
    /// Writes must be waited for, because their outcome must be known.
    writes: FuturesUnordered<BoxFuture<'a, WorkEvent<'a>>>,
}

impl<'a> PendingWork<'a> {
    /// Begins a job.
    pub(super) fn launch(&mut self, runner: SkillRunner<'a>, job: Job<'a>) {
        let group = if job.writes {
            &self.writes
        } else {
            &self.droppable
        };
        group.push(Box::pin(async move {
            WorkEvent::Finished(launch(runner, job).await)
        }));
    }

    /// Begins a pause, after which a job is due again.
    pub(super) fn wait(&mut self, runner: SkillRunner<'a>, pause: Duration, job: Box<Job<'a>>) {
        self.droppable.push(Box::pin(async move {
            runner.code.shared.clock.sleep(pause).await;
            WorkEvent::RetryDue(job)
        }));
    }

    /// Waits for the next event. Returns `None` if nothing is pending.
    pub(super) async fn next(&mut self) -> Option<WorkEvent<'a>> {
        match (self.droppable.is_empty(), self.writes.is_empty()) {
            (_, true) => self.droppable.next().await,
            (true, false) => self.writes.next().await,
            (false, false) => match select(self.droppable.next(), self.writes.next()).await {
                Either::Left((event, _)) | Either::Right((event, _)) => event,
            },
        }
    }

    /// Drops reads and pauses, waits for all writes, and returns their results.
    pub(super) async fn stop(self) -> Vec<(usize, StepResult)> {
        drop(self.droppable);
        let events: Vec<_> = self.writes.collect().await;
        let over = events.into_iter().filter_map(|event| match event {
            WorkEvent::Finished(over) => Some(over),
            WorkEvent::RetryDue(_) => None,
        });
        over.flatten().collect()
    }
}
