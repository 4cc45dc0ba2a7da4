//! The writer thread: takes all waiting jobs, runs them in one transaction, and answers when the
//! transaction is on the disk. Many jobs share one wait for the disk.

use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};

use crate::fault::{Fault, StoreResult};
use crate::job::{Job, JobStatus};
use crate::location::Location;
use crate::pool::{Jobs, Next};
use crate::session::{Session, retry_while_busy};

/// The most jobs in one transaction. The first job waits until the last is done.
const MAX_GROUP: usize = 256;

/// How long deferred jobs wait for others. A job that somebody waits for ends the wait.
const GATHER_TIME: Duration = Duration::from_millis(100);

pub(crate) fn run(location: &Location, jobs: &Jobs) {
    let mut session = None;
    while let Some(first) = jobs.next() {
        let mut group = gather(first, jobs);
        if group.is_empty() {
            continue;
        }
        let committed = current_session(location, &mut session)
            .and_then(|session| commit(&mut session.connection, &mut group))
            .map_err(|fault| fault.into_store_error(location.file()));
        if committed.is_err() && *location != Location::Memory {
            session = None;
        }
        jobs.record_finished(group.len());
        for job in group {
            job.send_reply(location.file(), &committed);
        }
    }
}

/// Returns the jobs of the next transaction: deferred ones first.
fn gather(first: Next, jobs: &Jobs) -> Vec<Box<dyn Job>> {
    let first = match first {
        Next::Deferred => jobs.next_within(GATHER_TIME),
        job => Some(job),
    };
    let mut group = jobs.take_deferred();
    let waiting = std::iter::from_fn(|| jobs.try_next());
    for next in first.into_iter().chain(waiting) {
        // The deferred jobs are in the group already.
        if let Next::Job(job) = next {
            group.push(job);
        }
        if group.len() >= MAX_GROUP {
            break;
        }
    }
    group
}

fn current_session<'a>(
    location: &Location,
    slot: &'a mut Option<Session>,
) -> StoreResult<&'a mut Session> {
    let session = match slot.take() {
        Some(session) if session.is_current(location) => session,
        _ => Session::open(location)?,
    };
    Ok(slot.insert(session))
}

/// Runs the jobs in one transaction. A job that fails does not undo the others.
fn commit(connection: &mut Connection, group: &mut [Box<dyn Job>]) -> StoreResult<()> {
    if commit_together(connection, group)? {
        Ok(())
    } else {
        commit_one_by_one(connection, group)
    }
}

/// Runs the jobs without savepoints, for which SQLite copies every page that several jobs change.
/// If one of them fails, nothing is changed and the answer is false.
fn commit_together(connection: &mut Connection, group: &mut [Box<dyn Job>]) -> StoreResult<bool> {
    retry_while_busy(|| {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for job in group.iter_mut() {
            let status = job.run(&transaction);
            if transaction.is_autocommit() {
                return Err(Fault::RolledBack);
            }
            if status != JobStatus::Commit {
                transaction.rollback()?;
                return Ok(false);
            }
        }
        transaction.commit()?;
        Ok(true)
    })
}

/// Runs each job in its own savepoint, so that only the failed ones are undone.
fn commit_one_by_one(connection: &mut Connection, group: &mut [Box<dyn Job>]) -> StoreResult<()> {
    retry_while_busy(|| {
        let mut transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for job in group.iter_mut() {
            let mut savepoint = transaction.savepoint()?;
            let status = job.run(&savepoint);
            if savepoint.is_autocommit() {
                // SQLite itself rolled the transaction back, as it does when the disk is full.
                return Err(Fault::RolledBack);
            }
            if status != JobStatus::Commit {
                savepoint.rollback()?;
            }
            savepoint.commit()?;
        }
        Ok(transaction.commit()?)
    })
}
