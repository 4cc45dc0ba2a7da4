//! The thread that writes: takes all jobs that are there, does them in one transaction, and answers
//! when it is on the disk. One wait for the disk then serves many.

use rusqlite::{Connection, TransactionBehavior};

use crate::fault::{Fault, Outcome};
use crate::job::{Done, Job};
use crate::place::Place;
use crate::pool::Jobs;
use crate::session::{Session, patiently};

/// The most jobs that are committed together: the first of them waits for the last.
const TOGETHER: usize = 256;

pub(crate) fn run(place: &Place, jobs: &Jobs) {
    let mut session = None;
    while let Some(first) = jobs.next() {
        let mut group = vec![first];
        while group.len() < TOGETHER
            && let Some(job) = jobs.next_at_once()
        {
            group.push(job);
        }

        let all = session_of(place, &mut session)
            .and_then(|session| commit(&mut session.connection, &mut group))
            .map_err(|fault| fault.about(place.file()));
        if all.is_err() && *place != Place::Memory {
            session = None;
        }
        jobs.done(group.len());
        for job in group {
            job.answer(place.file(), &all);
        }
    }
}

fn session_of<'a>(place: &Place, slot: &'a mut Option<Session>) -> Outcome<&'a mut Session> {
    let session = match slot.take() {
        Some(session) if session.is_current(place) => session,
        _ => Session::open(place)?,
    };
    Ok(slot.insert(session))
}

/// Each job has a savepoint, so that what one of them cannot do does not undo the others.
fn commit(connection: &mut Connection, group: &mut [Box<dyn Job>]) -> Outcome<()> {
    patiently(|| {
        let mut transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for job in group.iter_mut() {
            let mut savepoint = transaction.savepoint()?;
            let done = job.work(&savepoint);
            if savepoint.is_autocommit() {
                // SQLite itself gave up the transaction, as it does when the disk is full.
                return Err(Fault::Undone);
            }
            if done != Done::Keep {
                savepoint.rollback()?;
            }
            savepoint.commit()?;
        }
        Ok(transaction.commit()?)
    })
}
