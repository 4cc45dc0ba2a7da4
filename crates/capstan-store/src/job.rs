//! Work for a thread that has a connection, and the way back for its result.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use capstan_core::port::StoreError;
use futures_channel::oneshot;
use rusqlite::Connection;

use crate::fault::{Fault, Outcome};

/// Done in two steps, because what was written may be told only after it was committed.
pub(crate) trait Job: Send {
    /// Can be done again; the last time counts.
    fn work(&mut self, connection: &Connection) -> Done;

    /// What `work` found out; if it succeeded, `all` can still say that it came to nothing.
    fn answer(self: Box<Self>, file: &Path, all: &Result<(), StoreError>);
}

/// What is to become of the changes that a job made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    Keep,
    Undo,
    /// Somebody else has the file; it should be done again.
    Busy,
}

pub(crate) type Reply<T> = oneshot::Receiver<Result<T, StoreError>>;

/// A job, and where its answer arrives. `nothing` is the answer if there is no database to ask.
pub(crate) fn job<T, F>(work: F, nothing: Option<Outcome<T>>) -> (Box<dyn Job>, Reply<T>)
where
    T: Send + 'static,
    F: FnMut(&Connection) -> Outcome<T> + Send + 'static,
{
    let (reply, answer) = oneshot::channel();
    let task = Task {
        work,
        nothing,
        result: None,
        reply,
    };
    (Box::new(task), answer)
}

/// What an answer is that never came.
pub(crate) fn lost() -> StoreError {
    StoreError::Broken(
        "the thread that has it open stopped before it answered; try again".to_owned(),
    )
}

struct Task<T, F> {
    work: F,
    nothing: Option<Outcome<T>>,
    result: Option<Outcome<T>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Job for Task<T, F>
where
    T: Send,
    F: FnMut(&Connection) -> Outcome<T> + Send,
{
    fn work(&mut self, connection: &Connection) -> Done {
        // Whatever happens to one job, the thread goes on with the next.
        let work = AssertUnwindSafe(|| (self.work)(connection));
        let result = catch_unwind(work).unwrap_or(Err(Fault::Undone));
        let done = match &result {
            Ok(_) => Done::Keep,
            Err(fault) if fault.is_busy() => Done::Busy,
            Err(_) => Done::Undo,
        };
        self.result = Some(result);
        done
    }

    fn answer(self: Box<Self>, file: &Path, all: &Result<(), StoreError>) {
        let result = match (self.result, all) {
            (Some(Err(fault)), _) => Err(fault),
            (_, Err(error)) => Err(Fault::Told(error.clone())),
            (Some(Ok(value)), Ok(())) => Ok(value),
            (None, Ok(())) => self.nothing.unwrap_or(Err(Fault::Undone)),
        };
        let result = result.map_err(|fault| fault.about(file));
        // Nobody may be waiting for it any more.
        let _ = self.reply.send(result);
    }
}
