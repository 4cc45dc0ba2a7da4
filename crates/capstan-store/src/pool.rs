//! A pool of threads that wait for jobs: none before the first job, more while all are busy, up to
//! a maximum.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use capstan_core::port::StoreError;

use crate::job::Job;
use crate::location::Location;

/// Dropping the pool waits until all submitted jobs are done.
pub(crate) struct Pool {
    location: Location,
    max_threads: usize,
    /// What each thread runs until there are no more jobs.
    thread_body: fn(&Location, &Jobs),
    state: Mutex<PoolState>,
}

/// The queue from which the threads of a pool take their jobs.
#[derive(Clone)]
pub(crate) struct Jobs {
    queue: Arc<Mutex<Receiver<Box<dyn Job>>>>,
    /// The number of jobs that were submitted and are not finished.
    unfinished: Arc<AtomicUsize>,
}

struct PoolState {
    queue: Option<Sender<Box<dyn Job>>>,
    jobs: Jobs,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// Creates a pool without starting a thread.
    pub(crate) fn new(
        location: Location,
        max_threads: usize,
        thread_body: fn(&Location, &Jobs),
    ) -> Self {
        let (queue, receiver) = channel();
        let jobs = Jobs {
            queue: Arc::new(Mutex::new(receiver)),
            unfinished: Arc::default(),
        };
        let state = PoolState {
            queue: Some(queue),
            jobs,
            threads: Vec::new(),
        };
        Self {
            location,
            max_threads,
            thread_body,
            state: Mutex::new(state),
        }
    }

    pub(crate) fn submit(&self, job: Box<dyn Job>) -> Result<(), StoreError> {
        let mut state = lock(&self.state);
        state.threads.retain(|thread| !thread.is_finished());
        let unfinished = state.jobs.unfinished.fetch_add(1, Ordering::Relaxed);
        let count = state.threads.len();
        if count == 0 || (count < self.max_threads && unfinished >= count) {
            match self.start(state.jobs.clone()) {
                Ok(thread) => state.threads.push(thread),
                Err(error) if count == 0 => {
                    state.jobs.record_finished(1);
                    return Err(StoreError::Broken(format!(
                        "no thread could be started for `{}` ({error}); try again",
                        self.location.file().display()
                    )));
                }
                // The running threads will get to it.
                Err(_) => {}
            }
        }
        if let Some(queue) = &state.queue {
            // Sending cannot fail: the receiver lives in the same state.
            let _ = queue.send(job);
        }
        Ok(())
    }

    fn start(&self, jobs: Jobs) -> io::Result<JoinHandle<()>> {
        let (location, thread_body) = (self.location.clone(), self.thread_body);
        std::thread::Builder::new()
            .name("capstan-store".to_owned())
            .spawn(move || thread_body(&location, &jobs))
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut state = lock(&self.state);
        state.queue = None;
        let threads = std::mem::take(&mut state.threads);
        drop(state);
        // A reply can drop the store inside a pool thread, and a thread cannot join itself.
        let own = std::thread::current().id();
        for thread in threads.into_iter().filter(|it| it.thread().id() != own) {
            // A thread that panicked has ended, too.
            let _ = thread.join();
        }
    }
}

impl Jobs {
    /// Waits for the next job; `None` when the pool is being dropped.
    pub(crate) fn next(&self) -> Option<Box<dyn Job>> {
        lock(&self.queue).recv().ok()
    }

    /// Returns a job that is already waiting.
    pub(crate) fn try_next(&self) -> Option<Box<dyn Job>> {
        lock(&self.queue).try_recv().ok()
    }

    /// Records that jobs were finished.
    pub(crate) fn record_finished(&self, count: usize) {
        self.unfinished.fetch_sub(count, Ordering::Relaxed);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
