//! Progress reports for a client whose call is running.

use std::future::Future;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use capstan_engine::Progress;

/// One progress report. `progress` grows from report to report.
#[derive(Debug)]
pub(super) struct ProgressReport {
    pub(super) progress: f64,
    pub(super) total: Option<f64>,
    pub(super) message: String,
}

pub(super) trait ProgressSource {
    /// Waits for the next report. Dropping the future loses nothing.
    fn next_report(&mut self) -> impl Future<Output = ProgressReport> + Send;
}

/// The time between reports of [`ElapsedTime`]. Work that takes less time is not reported.
const PERIOD: Duration = Duration::from_secs(2);

/// Reports how long a run has taken so far.
pub(super) struct ElapsedTime {
    capability: String,
    started: Instant,
    ticks: Interval,
}

impl ElapsedTime {
    /// Starts measuring now. `capability` is the name in the reports.
    pub(super) fn start(capability: &str) -> Self {
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

impl ProgressSource for ElapsedTime {
    async fn next_report(&mut self) -> ProgressReport {
        self.ticks.tick().await;
        let elapsed = self.started.elapsed();
        let (capability, seconds) = (&self.capability, elapsed.as_secs());
        ProgressReport {
            progress: elapsed.as_secs_f64(),
            total: None,
            message: format!("running {capability}, {seconds} s so far"),
        }
    }
}

/// Reports how many steps of a chain are finished. Changes that happen while a report is being sent are
/// combined in the next one.
pub(super) struct StepProgress {
    progress: watch::Receiver<Option<Progress>>,
}

impl StepProgress {
    /// Returns a callback for the engine, and the source of the reports about what the callback gets.
    pub(super) fn channel() -> (impl Fn(Progress) + Send + Sync, Self) {
        let (sender, progress) = watch::channel(None);
        let callback = move |now: Progress| {
            sender.send_if_modified(|latest| {
                let before = latest.as_ref().map_or(0, |it: &Progress| it.finished);
                let grew = now.finished > before;
                *latest = Some(now);
                grew
            });
        };
        (callback, Self { progress })
    }
}

impl ProgressSource for StepProgress {
    async fn next_report(&mut self) -> ProgressReport {
        if self.progress.changed().await.is_err() {
            // The engine has dropped the callback, so there are no further reports.
            std::future::pending::<()>().await;
        }
        let latest = self.progress.borrow_and_update().clone();
        let Progress {
            finished,
            total,
            doing,
        } = latest.unwrap_or_default();
        let mut message = format!("{finished} of {total} steps finished");
        if !doing.is_empty() {
            message.push_str(", running ");
            message.push_str(&doing.join(", "));
        }
        ProgressReport {
            progress: finished as f64,
            total: Some(total as f64),
            message,
        }
    }
}

/// Reports on a run: the finished steps if it has steps, otherwise the elapsed time.
pub(super) struct RunProgress {
    elapsed: ElapsedTime,
    steps: StepProgress,
}

impl RunProgress {
    /// Returns a callback for the engine, and the source of the reports.
    pub(super) fn channel(capability: &str) -> (impl Fn(Progress) + Send + Sync + use<>, Self) {
        let (callback, steps) = StepProgress::channel();
        let elapsed = ElapsedTime::start(capability);
        (callback, Self { elapsed, steps })
    }
}

impl ProgressSource for RunProgress {
    async fn next_report(&mut self) -> ProgressReport {
        loop {
            tokio::select! {
                biased;
                report = self.steps.next_report() => return report,
                report = self.elapsed.next_report() => {
                    // A run with steps calls back before its first step is sent.
                    if self.steps.progress.borrow().is_none() {
                        return report;
                    }
                }
            }
        }
    }
}
