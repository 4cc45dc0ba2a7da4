//! Workers of one role that are ready: started when they are needed, kept while they are good.

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::link::Link;
use super::processes::Processes;
use super::threads::Threads;
use crate::worker::Role;

#[derive(Debug)]
pub(crate) struct Pool {
    role: Role,
    source: Source,
    ready: Mutex<Ready>,
    /// The one that was being started in the background is there, or will not come.
    warmed: Notify,
    /// How many are kept when there is nothing to do.
    keep: usize,
    /// The layers that the last worker reported, and one more bit that says that one did.
    layers: AtomicU32,
}

#[derive(Clone, Debug)]
pub(crate) enum Source {
    Processes(Arc<Processes>),
    /// With how many there may be.
    Threads(Arc<Threads>, usize),
}

#[derive(Debug, Default)]
struct Ready {
    idle: Vec<Link>,
    warming: Warming,
}

/// Whether one is being started in the background.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Warming {
    #[default]
    No,
    Yes,
    /// And somebody waits for it.
    Claimed,
}

impl Pool {
    /// A worker that has done this much is replaced: memory does not stay tidy for ever.
    const MOST_RUNS: u32 = 1000;
    const REPORTED: u32 = 1 << 31;

    pub(crate) fn new(role: Role, source: Source, keep: usize) -> Self {
        Self {
            role,
            source,
            ready: Mutex::default(),
            warmed: Notify::new(),
            keep,
            layers: AtomicU32::new(0),
        }
    }

    /// One that is ready, or is about to be, or a new one.
    pub(crate) async fn take(&self) -> io::Result<Link> {
        loop {
            let warmed = self.warmed.notified();
            {
                let mut ready = self.ready();
                if let Some(mut link) = ready.idle.pop() {
                    if link.is_fit() {
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

    /// Takes back one that has done what it was told.
    pub(crate) fn give_back(self: &Arc<Self>, mut link: Link) {
        link.runs += 1;
        if link.runs >= Self::MOST_RUNS {
            drop(link);
            self.warm();
        } else {
            self.keep(link);
        }
    }

    /// Starts one in the background unless one is ready.
    pub(crate) fn warm(self: &Arc<Self>) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        {
            let mut ready = self.ready();
            if !ready.idle.is_empty() || ready.warming != Warming::No {
                return;
            }
            ready.warming = Warming::Yes;
        }
        let over = WarmingOver(Arc::clone(self));
        runtime.spawn(async move {
            // If it fails, whoever needs one will see.
            if let Ok(link) = over.0.start().await {
                over.0.keep(link);
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

    fn keep(&self, link: Link) {
        let mut ready = self.ready();
        if ready.idle.len() < self.keep {
            ready.idle.push(link);
        }
    }

    fn ready(&self) -> MutexGuard<'_, Ready> {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// However it ends, even if its runtime goes away, nobody waits for it any more.
struct WarmingOver(Arc<Pool>);

impl Drop for WarmingOver {
    fn drop(&mut self) {
        self.0.ready().warming = Warming::No;
        self.0.warmed.notify_waiters();
    }
}
