//! A pool of threads that wait for jobs: none before the first job, more while all are busy, up to
//! a maximum.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

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
    queue: Arc<Mutex<Receiver<Next>>>,
    /// Jobs that nobody waits for. They are not in the queue, so that adding one wakes no thread.
    deferred: Arc<Mutex<Vec<Box<dyn Job>>>>,
    /// The number of jobs that were submitted and are not finished.
    unfinished: Arc<AtomicUsize>,
}

/// What a thread does next.
pub(crate) enum Next {
    Job(Box<dyn Job>),
    /// There are deferred jobs, which may wait a while for others.
    Deferred,
}

/// The most deferred jobs that wait for others.
const MAX_DEFERRED: usize = 256;

struct PoolState {
    queue: Option<Sender<Next>>,
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
            deferred: Arc::default(),
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

    /// Submits a job that a thread takes as soon as it can.
    pub(crate) fn submit(&self, job: Box<dyn Job>) -> Result<(), StoreError> {
        let mut state = lock(&self.state);
        let unfinished = state.jobs.unfinished.fetch_add(1, Ordering::Relaxed);
        let sent = self.send(&mut state, Next::Job(job), unfinished);
        if sent.is_err() {
            state.jobs.record_finished(1);
        }
        sent
    }

    /// Submits a job that may wait for others, so that they share one wait for the disk. Only a
    /// pool whose threads take deferred jobs may be given any.
    pub(crate) fn submit_deferred(&self, job: Box<dyn Job>) -> Result<(), StoreError> {
        let mut state = lock(&self.state);
        let unfinished = state.jobs.unfinished.fetch_add(1, Ordering::Relaxed);
        let waiting = {
            let mut deferred = lock(&state.jobs.deferred);
            deferred.push(job);
            deferred.len()
        };
        // The first one tells a thread to wait for more, and the last one that it need not.
        if waiting != 1 && waiting != MAX_DEFERRED {
            return Ok(());
        }
        let sent = self.send(&mut state, Next::Deferred, unfinished);
        if sent.is_err() {
            let dropped = state.jobs.take_deferred().len();
            state.jobs.record_finished(dropped);
        }
        sent
    }

    /// Returns whether a submitted job is not finished yet.
    pub(crate) fn is_busy(&self) -> bool {
        lock(&self.state).jobs.unfinished.load(Ordering::Acquire) > 0
    }

    fn send(&self, state: &mut PoolState, next: Next, unfinished: usize) -> Result<(), StoreError> {
        state.threads.retain(|thread| !thread.is_finished());
        let count = state.threads.len();
        if count == 0 || (count < self.max_threads && unfinished >= count) {
            match self.start(state.jobs.clone()) {
                Ok(thread) => state.threads.push(thread),
                Err(error) if count == 0 => {
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
            let _ = queue.send(next);
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
    /// Waits for what to do next; `None` when the pool is being dropped.
    pub(crate) fn next(&self) -> Option<Next> {
        lock(&self.queue).recv().ok()
    }

    /// Like [`Self::next`], but waits at most this long.
    pub(crate) fn next_within(&self, time: Duration) -> Option<Next> {
        lock(&self.queue).recv_timeout(time).ok()
    }

    /// Returns what is already waiting.
    pub(crate) fn try_next(&self) -> Option<Next> {
        lock(&self.queue).try_recv().ok()
    }

    /// Takes all deferred jobs, in the order in which they were submitted.
    pub(crate) fn take_deferred(&self) -> Vec<Box<dyn Job>> {
        std::mem::take(&mut lock(&self.deferred))
    }

    /// Records that jobs were finished.
    pub(crate) fn record_finished(&self, count: usize) {
        self.unfinished.fetch_sub(count, Ordering::Release);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
