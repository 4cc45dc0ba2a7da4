//! Workers of one role that are ready: started when they are needed, kept while they are good.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::link::Link;
use super::processes::Processes;
use super::threads::Threads;
use crate::worker::Role;

#[derive(Debug)]
pub(crate) struct Pool {
    role: Role,
    source: Source,
    idle: Mutex<Vec<Link>>,
    /// How many are kept when there is nothing to do.
    keep: usize,
    /// One is being started in the background.
    warming: AtomicBool,
    /// The layers that the last worker reported, and one more bit that says that one did.
    layers: AtomicU32,
}

#[derive(Clone, Debug)]
pub(crate) enum Source {
    Processes(Arc<Processes>),
    /// With how many there may be.
    Threads(Arc<Threads>, usize),
}

impl Pool {
    /// A worker that has done this much is replaced: memory does not stay tidy for ever.
    const MOST_RUNS: u32 = 1000;
    const REPORTED: u32 = 1 << 31;

    pub(crate) fn new(role: Role, source: Source, keep: usize) -> Self {
        Self {
            role,
            source,
            idle: Mutex::new(Vec::new()),
            keep,
            warming: AtomicBool::new(false),
            layers: AtomicU32::new(0),
        }
    }

    /// One that is ready, or a new one.
    pub(crate) async fn take(&self) -> io::Result<Link> {
        loop {
            let idle = self.idle().pop();
            let Some(mut link) = idle else {
                return self.start().await;
            };
            if link.is_fit() {
                return Ok(link);
            }
        }
    }

    /// Takes back one that has done what it was told.
    pub(crate) fn give_back(self: &Arc<Self>, mut link: Link) {
        link.runs += 1;
        if link.runs >= Self::MOST_RUNS {
            drop(link);
            self.warm();
            return;
        }
        let mut idle = self.idle();
        if idle.len() < self.keep {
            idle.push(link);
        }
    }

    /// Starts one in the background unless one is ready.
    pub(crate) fn warm(self: &Arc<Self>) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        if !self.idle().is_empty() || self.warming.swap(true, Ordering::Relaxed) {
            return;
        }
        let pool = Arc::clone(self);
        runtime.spawn(async move {
            // If it fails, whoever needs one will see.
            let started = pool.start().await;
            pool.warming.store(false, Ordering::Relaxed);
            if let Ok(link) = started {
                let mut idle = pool.idle();
                if idle.len() < pool.keep {
                    idle.push(link);
                }
            }
        });
    }

    pub(crate) fn reported(&self, layers: u32) {
        self.layers
            .store(layers | Self::REPORTED, Ordering::Relaxed);
    }

    /// The layers that a worker of this pool reported, if one did.
    pub(crate) fn layers(&self) -> Option<u32> {
        let layers = self.layers.load(Ordering::Relaxed);
        (layers & Self::REPORTED != 0).then_some(layers & !Self::REPORTED)
    }

    async fn start(&self) -> io::Result<Link> {
        match &self.source {
            Source::Processes(processes) => {
                let child = processes.start(self.role).await?;
                Link::process(child, Arc::clone(processes))
            }
            Source::Threads(threads, most) => Ok(Link::thread(threads.start(self.role, *most)?)),
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Link>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
