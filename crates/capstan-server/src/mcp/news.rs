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
                let before = known.map_or(0, |known: Progress| known.finished);
                *known = Some(now);
                now.finished > before
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
        let now = *self.progress.borrow_and_update();
        let Progress { finished, total } = now.unwrap_or(Progress {
            finished: 0,
            total: 0,
        });
        Report {
            progress: finished as f64,
            total: Some(total as f64),
            message: format!("{finished} of {total} steps finished"),
        }
    }
}
