//! Who may run. A run has a place as long as it lives, and needs a turn only while it computes: one that
//! waits for calls or timers is in nobody's way.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as FairMutex, Notify, OwnedSemaphorePermit, Semaphore};

/// All places and turns of a sandbox. Whoever comes first is served first.
#[derive(Debug)]
pub(crate) struct Turns {
    computing: Arc<Semaphore>,
    /// One for each depth: runs at one depth wait only for those below, so places are never waited for
    /// in a circle. Turns need no such care, because nobody keeps one while waiting.
    levels: Mutex<HashMap<u32, Arc<Level>>>,
    most_runs: usize,
    most_held: u64,
}

/// The right to compute, until it is dropped.
pub(crate) type Turn = OwnedSemaphorePermit;

/// A place among the runs of one depth, until it is dropped.
#[derive(Debug)]
pub(crate) struct Seat {
    level: Arc<Level>,
    held: u64,
    _place: OwnedSemaphorePermit,
}

#[derive(Debug)]
struct Level {
    places: Arc<Semaphore>,
    /// Taken by whoever is next.
    door: FairMutex<()>,
    /// How much memory those that wait hold together.
    held: AtomicU64,
    most_held: u64,
    /// Some of it was given back.
    freed: Notify,
}

impl Turns {
    /// `computing` runs compute at once, of `most_runs` at each depth. No run is let in while those that
    /// wait hold more than `most_held` bytes together.
    pub(crate) fn new(computing: usize, most_runs: usize, most_held: u64) -> Self {
        let computing = computing.max(1);
        Self {
            computing: Arc::new(Semaphore::new(computing)),
            levels: Mutex::default(),
            most_runs: most_runs.max(computing),
            most_held,
        }
    }

    /// Waits for a place, and for the first turn.
    pub(crate) async fn enter(&self, depth: u32) -> (Seat, Turn) {
        let seat = Seat::take(self.level(depth)).await;
        (seat, self.turn().await)
    }

    /// Waits for the right to compute.
    pub(crate) async fn turn(&self) -> Turn {
        match Arc::clone(&self.computing).acquire_owned().await {
            Ok(turn) => turn,
            // It is never closed.
            Err(_) => std::future::pending().await,
        }
    }

    fn level(&self, depth: u32) -> Arc<Level> {
        let mut levels = self.levels.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || {
            Arc::new(Level {
                places: Arc::new(Semaphore::new(self.most_runs)),
                door: FairMutex::new(()),
                held: AtomicU64::new(0),
                most_held: self.most_held,
                freed: Notify::new(),
            })
        };
        Arc::clone(levels.entry(depth).or_insert_with(new))
    }
}

impl Seat {
    async fn take(level: Arc<Level>) -> Self {
        let next = level.door.lock().await;
        let place = match Arc::clone(&level.places).acquire_owned().await {
            Ok(place) => place,
            // It is never closed.
            Err(_) => std::future::pending().await,
        };
        // What is freed between the look and the wait is remembered for the one who is at the door.
        while level.held.load(Ordering::Relaxed) > level.most_held {
            level.freed.notified().await;
        }
        drop(next);
        Self {
            level,
            held: 0,
            _place: place,
        }
    }

    /// Says how much memory the run holds while it waits; nothing while it computes.
    pub(crate) fn hold(&mut self, bytes: u64) {
        let before = std::mem::replace(&mut self.held, bytes);
        if bytes > before {
            let more = bytes - before;
            self.level.held.fetch_add(more, Ordering::Relaxed);
        } else if bytes < before {
            let less = before - bytes;
            self.level.held.fetch_sub(less, Ordering::Relaxed);
            self.level.freed.notify_one();
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.hold(0);
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
        // There is a turn, but no place; at another depth there is.
        assert!(turns.enter(0).now_or_never().is_none());
        assert!(turns.enter(1).now_or_never().is_some());
    }

    #[test]
    fn memory_that_is_held_keeps_others_out() {
        let turns = Turns::new(1, 10, 100);
        let (mut first, turn) = turns.enter(0).now_or_never().unwrap();
        drop(turn);
        first.hold(101);
        assert!(turns.enter(0).now_or_never().is_none());
        first.hold(100);
        let (_second, turn) = turns.enter(0).now_or_never().unwrap();
        drop(turn);
        first.hold(500);
        let mut waiting = Box::pin(turns.enter(0));
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(first);
        assert!(waiting.now_or_never().is_some());
    }
}
