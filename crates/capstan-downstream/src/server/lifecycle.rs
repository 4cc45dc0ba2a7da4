//! Whether a server is down, starting or up. Nothing here waits while it holds the lock.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::backoff::Backoff;
use crate::connection::{Connection, Spec, StartFault, start};
use crate::task::Task;

/// How a start went; nothing while it is under way.
pub(super) type Start = Option<Result<Arc<Connection>, StartFault>>;

#[derive(Default)]
pub(super) struct Lifecycle(Mutex<State>);

#[derive(Default)]
struct State {
    phase: Phase,
    backoff: Backoff,
}

#[derive(Default)]
enum Phase {
    #[default]
    Down,
    Starting {
        start: watch::Receiver<Start>,
        /// Ends the start when it is dropped.
        _task: Task,
    },
    Up {
        connection: Arc<Connection>,
        since: Instant,
    },
}

/// What a caller has to do next.
pub(super) enum Step {
    Ready(Arc<Connection>),
    Wait(watch::Receiver<Start>),
    /// It keeps ending: not before this time has passed.
    BackOff(Duration, Arc<str>),
}

impl Lifecycle {
    /// The way to a connection; starts the server if that is allowed.
    pub(super) fn step(&self, spec: &Arc<Spec>, now: Instant) -> Step {
        let mut state = self.lock();
        state.settle(now);
        match &state.phase {
            Phase::Up { connection, .. } => Step::Ready(Arc::clone(connection)),
            Phase::Starting { start, .. } => Step::Wait(start.clone()),
            Phase::Down => match state.backoff.wait(now) {
                Some((wait, why)) => Step::BackOff(wait, why),
                None => {
                    let (sender, receiver) = watch::channel(None);
                    let spec = Arc::clone(spec);
                    let task = Task::spawn(async move {
                        let outcome = start(spec).await.map(Arc::new);
                        // Whoever waited may have gone.
                        let _ = sender.send(Some(outcome));
                    });
                    state.phase = Phase::Starting {
                        start: receiver.clone(),
                        _task: task,
                    };
                    Step::Wait(receiver)
                }
            },
        }
    }

    /// Takes note of what happened since.
    pub(super) fn settle(&self, now: Instant) {
        self.lock().settle(now);
    }

    /// Whatever runs is the caller's to close.
    pub(super) fn take(&self) -> Option<Arc<Connection>> {
        let mut state = self.lock();
        match std::mem::take(&mut state.phase) {
            Phase::Up { connection, .. } => Some(connection),
            Phase::Starting { start, .. } => {
                let finished = start.borrow().clone();
                finished.and_then(Result::ok)
            }
            Phase::Down => None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Not how servers ended: they may have said anything.
impl fmt::Debug for Lifecycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.lock().phase {
            Phase::Down => "Down",
            Phase::Starting { .. } => "Starting",
            Phase::Up { connection, .. } if connection.end().is_some() => "Ended",
            Phase::Up { .. } => "Up",
        })
    }
}

impl State {
    fn settle(&mut self, now: Instant) {
        if let Phase::Starting { start, .. } = &self.phase {
            let outcome = start.borrow().clone();
            match outcome {
                Some(Ok(connection)) => {
                    self.phase = Phase::Up {
                        connection,
                        since: now,
                    };
                }
                Some(Err(fault)) => {
                    self.backoff.ended(now, Duration::ZERO, fault.why);
                    self.phase = Phase::Down;
                }
                None => {}
            }
        }
        if let Phase::Up { connection, since } = &self.phase
            && let Some(how) = connection.end()
        {
            let lived = now.saturating_duration_since(*since);
            self.backoff.ended(now, lived, how);
            self.phase = Phase::Down;
        }
    }
}
