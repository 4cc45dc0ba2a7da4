//! The threads that read. Each has a connection, and each job sees one state of the database.

use crate::fault::{Fault, Outcome};
use crate::job::{Done, Job};
use crate::place::Place;
use crate::pool::Jobs;
use crate::session::{Session, patiently};

/// The most threads that read at once.
pub(crate) const MOST: usize = 4;

pub(crate) fn run(place: &Place, jobs: &Jobs) {
    let mut session = None;
    while let Some(mut job) = jobs.next() {
        let all =
            read(place, &mut session, job.as_mut()).map_err(|fault| fault.about(place.file()));
        if all.is_err() {
            session = None;
        }
        jobs.done(1);
        job.answer(place.file(), &all);
    }
}

/// Does nothing while there is no database: the job knows what to answer then.
fn read(place: &Place, slot: &mut Option<Session>, job: &mut dyn Job) -> Outcome<()> {
    let session = match slot.take() {
        Some(session) if session.is_current(place) => session,
        _ => match Session::open_to_read(place)? {
            Some(session) => session,
            None => return Ok(()),
        },
    };
    let session = slot.insert(session);
    patiently(|| {
        let transaction = session.connection.transaction()?;
        match job.work(&transaction) {
            Done::Busy => Err(Fault::Busy),
            Done::Keep | Done::Undo => Ok(()),
        }
    })
}
