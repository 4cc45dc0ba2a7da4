//! A pool of workers of one role: started when needed, kept while they are usable.

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::link::WorkerLink;
use super::processes::WorkerProcesses;
use super::threads::WorkerThreads;
use crate::worker::Role;

#[derive(Debug)]
pub(crate) struct WorkerPool {
    role: Role,
    source: WorkerSource,
    ready: Mutex<ReadyWorkers>,
    /// Notified when the worker that was being started in the background is ready, or has failed to
    /// start.
    warmed: Notify,
    /// How many idle workers are kept.
    max_idle: usize,
    /// The layers that the last worker reported, and the `REPORTED` bit if one did.
    layers: AtomicU32,
}

#[derive(Clone, Debug)]
pub(crate) enum WorkerSource {
    Processes(Arc<WorkerProcesses>),
    /// The threads, and how many may be alive.
    Threads(Arc<WorkerThreads>, usize),
}

#[derive(Debug, Default)]
struct ReadyWorkers {
    idle: Vec<WorkerLink>,
    warming: Warming,
}

/// Whether a worker is being started in the background.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Warming {
    #[default]
    No,
    Yes,
    /// One is being started, and a caller waits for it.
    Claimed,
}

impl WorkerPool {
    /// A worker is replaced after this many orders, because its memory becomes fragmented.
    const MAX_ORDERS: u32 = 1000;
    const REPORTED: u32 = 1 << 31;

    pub(crate) fn new(role: Role, source: WorkerSource, max_idle: usize) -> Self {
        Self {
            role,
            source,
            ready: Mutex::default(),
            warmed: Notify::new(),
            max_idle,
            layers: AtomicU32::new(0),
        }
    }

    /// Returns an idle worker, or the one that is being started, or a new one.
    pub(crate) async fn take(&self) -> io::Result<WorkerLink> {
        loop {
            let warmed = self.warmed.notified();
            {
                let mut ready = self.lock_ready();
                if let Some(mut link) = ready.idle.pop() {
                    if link.is_usable() {
                        return Ok(link);
                    }
                    continue;
                }
                if ready.warming != Warming::Yes {
                    break;
                }
                ready.warming = Warming::Claimed;
            }
            warmed.await;
        }
        self.start().await
    }

    /// Takes back a worker that has carried out its order.
    pub(crate) fn give_back(self: &Arc<Self>, mut link: WorkerLink) {
        link.orders += 1;
        if link.orders >= Self::MAX_ORDERS {
            drop(link);
            self.warm_up();
        } else {
            self.keep_idle(link);
        }
    }

    /// Starts a worker in the background unless one is idle or being started.
    pub(crate) fn warm_up(self: &Arc<Self>) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        {
            let mut ready = self.lock_ready();
            if !ready.idle.is_empty() || ready.warming != Warming::No {
                return;
            }
            ready.warming = Warming::Yes;
        }
        let guard = WarmingGuard(Arc::clone(self));
        runtime.spawn(async move {
            // If this fails, the next caller that needs a worker gets the error.
            if let Ok(link) = guard.0.start().await {
                guard.0.keep_idle(link);
            }
        });
    }

    pub(crate) fn record_layers(&self, layers: u32) {
        self.layers
            .store(layers | Self::REPORTED, Ordering::Relaxed);
    }

    /// Returns the layers that a worker of this pool reported, if one did.
    pub(crate) fn layers(&self) -> Option<u32> {
        let layers = self.layers.load(Ordering::Relaxed);
        (layers & Self::REPORTED != 0).then_some(layers & !Self::REPORTED)
    }

    async fn start(&self) -> io::Result<WorkerLink> {
        match &self.source {
            WorkerSource::Processes(processes) => {
                let child = processes.start(self.role).await?;
                WorkerLink::process(child, Arc::clone(processes))
            }
            WorkerSource::Threads(threads, max_alive) => {
                Ok(WorkerLink::thread(threads.start(self.role, *max_alive)?))
            }
        }
    }

    fn keep_idle(&self, link: WorkerLink) {
        let mut ready = self.lock_ready();
        if ready.idle.len() < self.max_idle {
            ready.idle.push(link);
        }
    }

    fn lock_ready(&self) -> MutexGuard<'_, ReadyWorkers> {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Wakes the waiting callers when it is dropped: however the start ends, even if its runtime shuts
/// down.
struct WarmingGuard(Arc<WorkerPool>);

impl Drop for WarmingGuard {
    fn drop(&mut self) {
        self.0.lock_ready().warming = Warming::No;
        self.0.warmed.notify_waiters();
    }
}
