//! The reader threads. Each has its own connection, and each job sees one state of the database.

use crate::fault::{Fault, StoreResult};
use crate::job::{Job, JobStatus};
use crate::location::Location;
use crate::pool::{Jobs, Next};
use crate::session::{Session, retry_while_busy};

/// The maximum number of reader threads.
pub(crate) const MAX_READERS: usize = 4;

pub(crate) fn run(location: &Location, jobs: &Jobs) {
    let mut session = None;
    // Reads are never deferred: somebody waits for each.
    while let Some(Next::Job(mut job)) = jobs.next() {
        let committed = run_job(location, &mut session, job.as_mut())
            .map_err(|fault| fault.into_store_error(location.file()));
        if committed.is_err() {
            session = None;
        }
        jobs.record_finished(1);
        job.send_reply(location.file(), &committed);
    }
}

/// Runs a job. Does nothing while there is no database: the job knows what to answer then.
fn run_job(location: &Location, slot: &mut Option<Session>, job: &mut dyn Job) -> StoreResult<()> {
    let session = match slot.take() {
        Some(session) if session.is_current(location) => session,
        _ => match Session::open_read_only(location)? {
            Some(session) => session,
            None => return Ok(()),
        },
    };
    let session = slot.insert(session);
    retry_while_busy(|| {
        let transaction = session.connection.transaction()?;
        match job.run(&transaction) {
            JobStatus::Busy => Err(Fault::Busy),
            JobStatus::Commit | JobStatus::RollBack => Ok(()),
        }
    })
}
