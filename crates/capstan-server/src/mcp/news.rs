//! What there is to tell a client while its call is worked on.

use std::future::Future;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use capstan_engine::Progress;

/// How far the work is. `progress` grows with every report.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) progress: f64,
    pub(super) total: Option<f64>,
    pub(super) message: String,
}

pub(super) trait News {
    /// Waits until there is something to tell. May be dropped while it waits.
    fn next(&mut self) -> impl Future<Output = Report> + Send;
}

/// Work that is done sooner is not reported on.
const PERIOD: Duration = Duration::from_secs(2);

/// How long one run takes.
pub(super) struct Elapsed {
    capability: String,
    started: Instant,
    ticks: Interval,
}

impl Elapsed {
    pub(super) fn of(capability: &str) -> Self {
        let started = Instant::now();
        let mut ticks = interval_at(started + PERIOD, PERIOD);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self {
            capability: capability.to_owned(),
            started,
            ticks,
        }
    }
}

impl News for Elapsed {
    async fn next(&mut self) -> Report {
        self.ticks.tick().await;
        let elapsed = self.started.elapsed();
        let (capability, seconds) = (&self.capability, elapsed.as_secs());
        Report {
            progress: elapsed.as_secs_f64(),
            total: None,
            message: format!("running {capability}, {seconds} s so far"),
        }
    }
}

/// How many steps of a chain are finished. What changes while a report is on its way is told in
/// the next one.
pub(super) struct Finished {
    progress: watch::Receiver<Option<Progress>>,
}

impl Finished {
    /// What the engine tells, and what is made of it.
    pub(super) fn watch() -> (impl Fn(Progress) + Send + Sync, Self) {
        let (sender, progress) = watch::channel(None);
        let tell = move |now: Progress| {
            sender.send_if_modified(|known| {
                let before = known.as_ref().map_or(0, |known: &Progress| known.finished);
                let grew = now.finished > before;
                *known = Some(now);
                grew
            });
        };
        (tell, Self { progress })
    }
}

impl News for Finished {
    async fn next(&mut self) -> Report {
        if self.progress.changed().await.is_err() {
            // Nobody is left to tell anything.
            std::future::pending::<()>().await;
        }
        let now = self.progress.borrow_and_update().clone();
        let Progress {
            finished,
            total,
            doing,
        } = now.unwrap_or_default();
        let mut message = format!("{finished} of {total} steps finished");
        if !doing.is_empty() {
            message.push_str(", running ");
            message.push_str(&doing.join(", "));
        }
        Report {
            progress: finished as f64,
            total: Some(total as f64),
            message,
        }
    }
}

/// How far one run is: by its steps if it is made of any, else by the time that it takes.
pub(super) struct OneRun {
    elapsed: Elapsed,
    finished: Finished,
}

impl OneRun {
    /// What the engine tells, and what is made of it.
    pub(super) fn watch(capability: &str) -> (impl Fn(Progress) + Send + Sync + use<>, Self) {
        let (tell, finished) = Finished::watch();
        let elapsed = Elapsed::of(capability);
        (tell, Self { elapsed, finished })
    }
}

impl News for OneRun {
    async fn next(&mut self) -> Report {
        loop {
            tokio::select! {
                biased;
                report = self.finished.next() => return report,
                report = self.elapsed.next() => {
                    // Whoever has steps says so before the first of them leaves.
                    if self.finished.progress.borrow().is_none() {
                        return report;
                    }
                }
            }
        }
    }
}
