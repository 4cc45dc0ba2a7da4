//! Workers that are threads of this process, for platforms without processes that can be killed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::{io, thread};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::engine::{Channel, Received, THREAD_STACK_BYTES};
use crate::wire::HEADER_BYTES;
use crate::worker::{READER_STACK_BYTES, Role, serve_reader, serve_runner};

/// Counts the threads that are alive, including those that were given up because they cannot be
/// interrupted.
#[derive(Debug, Default)]
pub(crate) struct WorkerThreads {
    alive: Arc<AtomicUsize>,
}

/// The channels to a thread. Dropping them ends the thread as soon as it listens again.
#[derive(Debug)]
pub(crate) struct ThreadLink {
    pub(crate) to: Sender<Vec<u8>>,
    pub(crate) from: UnboundedReceiver<Vec<u8>>,
}

impl WorkerThreads {
    /// Starts a thread. At most `max_alive` may be alive, including those that were given up.
    pub(crate) fn start(&self, role: Role, max_alive: usize) -> io::Result<ThreadLink> {
        let alive = AliveCount::new(&self.alive);
        if self.alive.load(Ordering::Relaxed) > max_alive {
            return Err(io::Error::other(
                "too many abandoned runs have not ended yet",
            ));
        }
        let (to, orders) = channel();
        let (reports, from) = unbounded_channel();
        let mut channel = ThreadChannel { orders, reports };
        let stack = match role {
            Role::Reader => READER_STACK_BYTES,
            Role::Runner => THREAD_STACK_BYTES,
        };
        thread::Builder::new()
            .name(format!("capstan-{}", role.as_str()))
            .stack_size(stack)
            .spawn(move || {
                let _alive = alive;
                match role {
                    Role::Reader => serve_reader(&mut channel),
                    // No signal could end a single thread.
                    Role::Runner => serve_runner(&mut channel, |_| {}),
                }
            })?;
        Ok(ThreadLink { to, from })
    }
}

struct AliveCount(Arc<AtomicUsize>);

impl AliveCount {
    fn new(counter: &Arc<AtomicUsize>) -> Self {
        counter.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(counter))
    }
}

impl Drop for AliveCount {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

struct ThreadChannel {
    orders: Receiver<Vec<u8>>,
    reports: UnboundedSender<Vec<u8>>,
}

impl Channel for ThreadChannel {
    fn send(&mut self, frame: Vec<u8>) -> bool {
        self.reports.send(frame).is_ok()
    }

    fn receive(&mut self) -> Received {
        match self.orders.recv() {
            Ok(mut frame) => {
                frame.drain(..HEADER_BYTES.min(frame.len()));
                Received::Frame(frame)
            }
            Err(_) => Received::Closed,
        }
    }
}
