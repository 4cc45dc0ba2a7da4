//! Whether a server is down, starting or up. No code here waits while it holds the lock.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::backoff::Backoff;
use crate::connection::{Connection, ServerSpec, StartFault, start};
use crate::task::Task;

/// The result of a start; `None` while it is under way.
pub(super) type StartResult = Option<Result<Arc<Connection>, StartFault>>;

#[derive(Default)]
pub(super) struct Lifecycle(Mutex<LifecycleState>);

#[derive(Default)]
struct LifecycleState {
    phase: Phase,
    backoff: Backoff,
}

#[derive(Default)]
enum Phase {
    #[default]
    Down,
    Starting {
        start: watch::Receiver<StartResult>,
        /// Aborts the start when it is dropped.
        _task: Task,
    },
    Up {
        connection: Arc<Connection>,
        since: Instant,
    },
}

/// What a caller has to do next.
pub(super) enum NextStep {
    Ready(Arc<Connection>),
    Wait(watch::Receiver<StartResult>),
    /// The server keeps ending; it is not started before this time has passed.
    BackOff(Duration, Arc<str>),
}

impl Lifecycle {
    /// Returns how to get a connection. Starts the server if necessary and allowed.
    pub(super) fn next_step(&self, spec: &Arc<ServerSpec>, now: Instant) -> NextStep {
        let mut state = self.lock();
        state.update(now);
        match &state.phase {
            Phase::Up { connection, .. } => NextStep::Ready(Arc::clone(connection)),
            Phase::Starting { start, .. } => NextStep::Wait(start.clone()),
            Phase::Down => match state.backoff.remaining_wait(now) {
                Some((wait, why)) => NextStep::BackOff(wait, why),
                None => {
                    let (sender, receiver) = watch::channel(None);
                    let spec = Arc::clone(spec);
                    let task = Task::spawn(async move {
                        let result = start(spec).await.map(Arc::new);
                        // The callers may have stopped waiting.
                        let _ = sender.send(Some(result));
                    });
                    state.phase = Phase::Starting {
                        start: receiver.clone(),
                        _task: task,
                    };
                    NextStep::Wait(receiver)
                }
            },
        }
    }

    /// Updates the phase with what happened since.
    pub(super) fn update(&self, now: Instant) {
        self.lock().update(now);
    }

    /// Takes the running connection; the caller has to close it.
    pub(super) fn take_connection(&self) -> Option<Arc<Connection>> {
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

    fn lock(&self) -> MutexGuard<'_, LifecycleState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Does not print how servers ended: their messages may contain secrets.
impl fmt::Debug for Lifecycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.lock().phase {
            Phase::Down => "Down",
            Phase::Starting { .. } => "Starting",
            Phase::Up { connection, .. } if connection.end_reason().is_some() => "Ended",
            Phase::Up { .. } => "Up",
        })
    }
}

impl LifecycleState {
    fn update(&mut self, now: Instant) {
        if let Phase::Starting { start, .. } = &self.phase {
            let result = start.borrow().clone();
            match result {
                Some(Ok(connection)) => {
                    self.phase = Phase::Up {
                        connection,
                        since: now,
                    };
                }
                Some(Err(fault)) => {
                    self.backoff.record_end(now, Duration::ZERO, fault.reason);
                    self.phase = Phase::Down;
                }
                None => {}
            }
        }
        if let Phase::Up { connection, since } = &self.phase
            && let Some(reason) = connection.end_reason()
        {
            let lived = now.saturating_duration_since(*since);
            self.backoff.record_end(now, lived, reason);
            self.phase = Phase::Down;
        }
    }
}
