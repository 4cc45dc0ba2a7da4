//! Decides which runs may compute. A run has a seat as long as it lives, and needs a turn only
//! while it computes. A run that waits for calls or timers blocks nobody.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as FairMutex, Notify, OwnedSemaphorePermit, Semaphore};

/// All seats and turns of a sandbox, served in order of arrival.
#[derive(Debug)]
pub(crate) struct Turns {
    computing: Arc<Semaphore>,
    /// One for each depth. Runs at one depth wait only for runs below, so waiting for seats never
    /// forms a cycle. Turns need no such care, because no run keeps one while it waits.
    levels: Mutex<HashMap<u32, Arc<Level>>>,
    most_runs: usize,
    max_held_bytes: u64,
}

/// The right to compute, until it is dropped.
pub(crate) type Turn = OwnedSemaphorePermit;

/// A seat among the runs of one depth, until it is dropped.
#[derive(Debug)]
pub(crate) struct Seat {
    level: Arc<Level>,
    held_bytes: u64,
    _slot: OwnedSemaphorePermit,
}

#[derive(Debug)]
struct Level {
    slots: Arc<Semaphore>,
    /// Held by the run that enters next.
    entrance: FairMutex<()>,
    /// How many bytes the waiting runs hold together.
    held_bytes: AtomicU64,
    max_held_bytes: u64,
    /// Notified when some of these bytes were freed.
    freed: Notify,
}

impl Turns {
    /// At most `computing` runs compute at the same time, of `most_runs` at each depth. No run is
    /// let in while the waiting runs hold more than `max_held_bytes` bytes together.
    pub(crate) fn new(computing: usize, most_runs: usize, max_held_bytes: u64) -> Self {
        let computing = computing.max(1);
        Self {
            computing: Arc::new(Semaphore::new(computing)),
            levels: Mutex::default(),
            most_runs: most_runs.max(computing),
            max_held_bytes,
        }
    }

    /// Waits for a seat and for the first turn.
    pub(crate) async fn enter(&self, depth: u32) -> (Seat, Turn) {
        let seat = Seat::take(self.level(depth)).await;
        (seat, self.next_turn().await)
    }

    /// Waits for the right to compute.
    pub(crate) async fn next_turn(&self) -> Turn {
        match Arc::clone(&self.computing).acquire_owned().await {
            Ok(turn) => turn,
            // The semaphore is never closed.
            Err(_) => std::future::pending().await,
        }
    }

    fn level(&self, depth: u32) -> Arc<Level> {
        let mut levels = self.levels.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || {
            Arc::new(Level {
                slots: Arc::new(Semaphore::new(self.most_runs)),
                entrance: FairMutex::new(()),
                held_bytes: AtomicU64::new(0),
                max_held_bytes: self.max_held_bytes,
                freed: Notify::new(),
            })
        };
        Arc::clone(levels.entry(depth).or_insert_with(new))
    }
}

impl Seat {
    async fn take(level: Arc<Level>) -> Self {
        let first_in_line = level.entrance.lock().await;
        let slot = match Arc::clone(&level.slots).acquire_owned().await {
            Ok(slot) => slot,
            // The semaphore is never closed.
            Err(_) => std::future::pending().await,
        };
        // `notify_one` stores a permit, so a release between the check and the wait is not lost.
        while level.held_bytes.load(Ordering::Relaxed) > level.max_held_bytes {
            level.freed.notified().await;
        }
        drop(first_in_line);
        Self {
            level,
            held_bytes: 0,
            _slot: slot,
        }
    }

    /// Sets how many bytes the run holds while it waits; 0 while it computes.
    pub(crate) fn set_held_bytes(&mut self, bytes: u64) {
        let before = std::mem::replace(&mut self.held_bytes, bytes);
        if bytes > before {
            let more = bytes - before;
            self.level.held_bytes.fetch_add(more, Ordering::Relaxed);
        } else if bytes < before {
            let less = before - bytes;
            self.level.held_bytes.fetch_sub(less, Ordering::Relaxed);
            self.level.freed.notify_one();
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.set_held_bytes(0);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn places_are_more_than_turns() {
        let turns = Turns::new(1, 2, 100);
        let (_first, turn) = turns.enter(0).now_or_never().unwrap();
        assert!(turns.enter(0).now_or_never().is_none());
        drop(turn);
        let (_second, turn) = turns.enter(0).now_or_never().unwrap();
        drop(turn);
        // There is a turn, but no seat; at another depth there is one.
        assert!(turns.enter(0).now_or_never().is_none());
        assert!(turns.enter(1).now_or_never().is_some());
    }

    #[test]
    fn memory_that_is_held_keeps_others_out() {
        let turns = Turns::new(1, 10, 100);
        let (mut first, turn) = turns.enter(0).now_or_never().unwrap();
        drop(turn);
        first.set_held_bytes(101);
        assert!(turns.enter(0).now_or_never().is_none());
        first.set_held_bytes(100);
        let (_second, turn) = turns.enter(0).now_or_never().unwrap();
        drop(turn);
        first.set_held_bytes(500);
        let mut waiting = Box::pin(turns.enter(0));
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(first);
        assert!(waiting.now_or_never().is_some());
    }
}
