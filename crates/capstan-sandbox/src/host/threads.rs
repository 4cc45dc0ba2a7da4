//! Workers that are threads of this process, for where no other process can be had.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::{io, thread};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::engine::{Channel, Received, THREAD_STACK};
use crate::wire::HEADER;
use crate::worker::{READER_STACK, Role, serve_reader, serve_runner};

/// The threads that are there. One that cannot be interrupted is given up, but not gone.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    alive: Arc<AtomicUsize>,
}

/// The way to one of them. Dropping it ends the thread as soon as that listens.
#[derive(Debug)]
pub(crate) struct ThreadLink {
    pub(crate) to: Sender<Vec<u8>>,
    pub(crate) from: UnboundedReceiver<Vec<u8>>,
}

impl Threads {
    /// `most` are alive at the same time, those included that were given up.
    pub(crate) fn start(&self, role: Role, most: usize) -> io::Result<ThreadLink> {
        let alive = Counted::new(&self.alive);
        if self.alive.load(Ordering::Relaxed) > most {
            return Err(io::Error::other(
                "too many runs that were given up are still at it",
            ));
        }
        let (to, orders) = channel();
        let (reports, from) = unbounded_channel();
        let mut channel = ThreadChannel { orders, reports };
        let stack = match role {
            Role::Reader => READER_STACK,
            Role::Runner => THREAD_STACK,
        };
        thread::Builder::new()
            .name(format!("capstan-{}", role.as_str()))
            .stack_size(stack)
            .spawn(move || {
                let _alive = alive;
                match role {
                    Role::Reader => serve_reader(&mut channel),
                    // There is no signal that would end one thread alone.
                    Role::Runner => serve_runner(&mut channel, |_| {}),
                }
            })?;
        Ok(ThreadLink { to, from })
    }
}

struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn new(counter: &Arc<AtomicUsize>) -> Self {
        counter.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(counter))
    }
}

impl Drop for Counted {
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
                frame.drain(..HEADER.min(frame.len()));
                Received::Frame(frame)
            }
            Err(_) => Received::Closed,
        }
    }
}
