//! Threads that wait for jobs: none before the first job, more while all are busy, up to a number.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use capstan_core::port::StoreError;

use crate::job::Job;
use crate::place::Place;

/// Ends, when it is dropped, after everything that was handed in.
pub(crate) struct Pool {
    place: Place,
    most: usize,
    /// What each thread does until there are no jobs any more.
    body: fn(&Place, &Jobs),
    state: Mutex<State>,
}

/// Where the threads of a pool take their jobs from.
#[derive(Clone)]
pub(crate) struct Jobs {
    queue: Arc<Mutex<Receiver<Box<dyn Job>>>>,
    /// Handed in, and not yet done.
    open: Arc<AtomicUsize>,
}

struct State {
    queue: Option<Sender<Box<dyn Job>>>,
    jobs: Jobs,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// Starts nothing.
    pub(crate) fn new(place: Place, most: usize, body: fn(&Place, &Jobs)) -> Self {
        let (queue, receiver) = channel();
        let jobs = Jobs {
            queue: Arc::new(Mutex::new(receiver)),
            open: Arc::default(),
        };
        let state = State {
            queue: Some(queue),
            jobs,
            threads: Vec::new(),
        };
        Self {
            place,
            most,
            body,
            state: Mutex::new(state),
        }
    }

    pub(crate) fn submit(&self, job: Box<dyn Job>) -> Result<(), StoreError> {
        let mut state = locked(&self.state);
        state.threads.retain(|thread| !thread.is_finished());
        let open = state.jobs.open.fetch_add(1, Ordering::Relaxed);
        let count = state.threads.len();
        if count == 0 || (count < self.most && open >= count) {
            match self.start(state.jobs.clone()) {
                Ok(thread) => state.threads.push(thread),
                Err(error) if count == 0 => {
                    state.jobs.done(1);
                    return Err(StoreError::Broken(format!(
                        "no thread could be started for `{}` ({error}); try again",
                        self.place.file().display()
                    )));
                }
                // Those that are there will come to it.
                Err(_) => {}
            }
        }
        if let Some(queue) = &state.queue {
            // The receiver lives in the state, so it is there.
            let _ = queue.send(job);
        }
        Ok(())
    }

    fn start(&self, jobs: Jobs) -> io::Result<JoinHandle<()>> {
        let (place, body) = (self.place.clone(), self.body);
        std::thread::Builder::new()
            .name("capstan-store".to_owned())
            .spawn(move || body(&place, &jobs))
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut state = locked(&self.state);
        state.queue = None;
        let threads = std::mem::take(&mut state.threads);
        drop(state);
        // An answer can be what drops the store; a thread cannot wait for its own end.
        let own = std::thread::current().id();
        for thread in threads.into_iter().filter(|it| it.thread().id() != own) {
            // A thread that panicked has ended too.
            let _ = thread.join();
        }
    }
}

impl Jobs {
    /// Waits for the next job; nothing when there will be none.
    pub(crate) fn next(&self) -> Option<Box<dyn Job>> {
        locked(&self.queue).recv().ok()
    }

    /// A job that is there already.
    pub(crate) fn next_at_once(&self) -> Option<Box<dyn Job>> {
        locked(&self.queue).try_recv().ok()
    }

    /// Says that jobs were done.
    pub(crate) fn done(&self, count: usize) {
        self.open.fetch_sub(count, Ordering::Relaxed);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
