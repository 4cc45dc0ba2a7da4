//! Work for a thread that has a connection, and the channel for its result.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use capstan_core::port::StoreError;
use futures_channel::oneshot;
use rusqlite::Connection;

use crate::fault::{Fault, StoreResult};

/// A unit of work in two steps: it runs, and it replies after its changes were committed.
pub(crate) trait Job: Send {
    /// Runs the work. May be called several times; the last result counts.
    fn run(&mut self, connection: &Connection) -> JobStatus;

    /// Sends the result of `run`. If `committed` is an error, a successful run is reported as that
    /// error.
    fn send_reply(self: Box<Self>, file: &Path, committed: &Result<(), StoreError>);
}

/// What happens to the changes that a job made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobStatus {
    Commit,
    RollBack,
    /// Another process has the file locked; the job has to run again.
    Busy,
}

pub(crate) type Reply<T> = oneshot::Receiver<Result<T, StoreError>>;

/// Creates a job and the receiver of its result. `if_missing` is the result if there is no
/// database.
pub(crate) fn new_job<T, F>(work: F, if_missing: Option<StoreResult<T>>) -> (Box<dyn Job>, Reply<T>)
where
    T: Send + 'static,
    F: FnMut(&Connection) -> StoreResult<T> + Send + 'static,
{
    let (reply, receiver) = oneshot::channel();
    let task = Task {
        work,
        if_missing,
        result: None,
        reply,
    };
    (Box::new(task), receiver)
}

/// The error for a reply that never came.
pub(crate) fn thread_stopped() -> StoreError {
    StoreError::Broken(
        "the thread that has it open stopped before it answered; try again".to_owned(),
    )
}

struct Task<T, F> {
    work: F,
    if_missing: Option<StoreResult<T>>,
    result: Option<StoreResult<T>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Job for Task<T, F>
where
    T: Send,
    F: FnMut(&Connection) -> StoreResult<T> + Send,
{
    fn run(&mut self, connection: &Connection) -> JobStatus {
        // A panic in one job must not stop the thread.
        let work = AssertUnwindSafe(|| (self.work)(connection));
        let result = catch_unwind(work).unwrap_or(Err(Fault::RolledBack));
        let status = match &result {
            Ok(_) => JobStatus::Commit,
            Err(fault) if fault.is_busy() => JobStatus::Busy,
            Err(_) => JobStatus::RollBack,
        };
        self.result = Some(result);
        status
    }

    fn send_reply(self: Box<Self>, file: &Path, committed: &Result<(), StoreError>) {
        let result = match (self.result, committed) {
            (Some(Err(fault)), _) => Err(fault),
            (_, Err(error)) => Err(Fault::Reported(error.clone())),
            (Some(Ok(value)), Ok(())) => Ok(value),
            (None, Ok(())) => self.if_missing.unwrap_or(Err(Fault::RolledBack)),
        };
        let reply = result.map_err(|fault| fault.into_store_error(file));
        // The caller may have stopped waiting.
        let _ = self.reply.send(reply);
    }
}
