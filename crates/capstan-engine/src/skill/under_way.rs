//! What a run of a skill waits for: steps that left, and pauses before the next try.

use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::{Either, select};
use futures_util::stream::FuturesUnordered;

use capstan_core::port::BoxFuture;

use super::SkillRunner;
use super::launch::{Job, launch};
use crate::step_result::StepResult;

/// What came of waiting.
pub(super) enum Event<'a> {
    /// Steps came back, by node.
    Over(Vec<(usize, StepResult)>),
    /// A pause is over, and this is to be tried again.
    Due(Box<Job<'a>>),
}

#[derive(Default)]
pub(super) struct UnderWay<'a> {
    /// What nobody has to wait for when the end is decided: reads, and pauses.
    droppable: FuturesUnordered<BoxFuture<'a, Event<'a>>>,
    writes: FuturesUnordered<BoxFuture<'a, Event<'a>>>,
}

impl<'a> UnderWay<'a> {
    pub(super) fn launch(&mut self, runner: SkillRunner<'a>, job: Job<'a>) {
        let of_its_kind = if job.writes {
            &self.writes
        } else {
            &self.droppable
        };
        of_its_kind.push(Box::pin(
            async move { Event::Over(launch(runner, job).await) },
        ));
    }

    pub(super) fn wait(&mut self, runner: SkillRunner<'a>, pause: Duration, job: Box<Job<'a>>) {
        self.droppable.push(Box::pin(async move {
            runner.code.shared.clock.sleep(pause).await;
            Event::Due(job)
        }));
    }

    /// Nothing if there is nothing to wait for.
    pub(super) async fn next(&mut self) -> Option<Event<'a>> {
        match (self.droppable.is_empty(), self.writes.is_empty()) {
            (_, true) => self.droppable.next().await,
            (true, false) => self.writes.next().await,
            (false, false) => match select(self.droppable.next(), self.writes.next()).await {
                Either::Left((event, _)) | Either::Right((event, _)) => event,
            },
        }
    }

    /// Begins nothing more, drops what only reads, and waits for what writes: of that it has to be known
    /// how it ended.
    pub(super) async fn stop(self) -> Vec<(usize, StepResult)> {
        drop(self.droppable);
        let events: Vec<_> = self.writes.collect().await;
        let over = events.into_iter().filter_map(|event| match event {
            Event::Over(over) => Some(over),
            Event::Due(_) => None,
        });
        over.flatten().collect()
    }
}
