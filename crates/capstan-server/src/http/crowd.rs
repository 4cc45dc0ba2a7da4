//! Who is connected. There is room for so many; when it is full, whoever has kept the server waiting
//! longest makes room for the next, so that nobody can keep others out by saying nothing.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::Instant;

#[derive(Debug)]
pub(super) struct Crowd {
    most: usize,
    guests: Mutex<HashMap<u64, Arc<Guest>>>,
    next: AtomicU64,
    /// Somebody went, or waits for a client now.
    changed: Notify,
}

/// One connection.
#[derive(Debug)]
pub(super) struct Guest {
    id: u64,
    crowd: Arc<Crowd>,
    /// Since when the client keeps the server waiting; nothing while the server is at work for it.
    waiting: Mutex<Option<Instant>>,
    sent_away: Notify,
}

/// Keeps a connection's place until it is dropped.
#[derive(Debug)]
pub(super) struct Place(pub(super) Arc<Guest>);

impl Crowd {
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            most,
            guests: Mutex::default(),
            next: AtomicU64::new(0),
            changed: Notify::new(),
        })
    }

    /// A place for one more. It waits only while the server is at work for everybody who is here.
    /// Nothing is lost when the future is dropped.
    pub(super) async fn place(self: &Arc<Self>) -> Place {
        loop {
            let mut changed = pin!(self.changed.notified());
            changed.as_mut().enable();
            if let Some(place) = self.try_place() {
                return place;
            }
            changed.await;
        }
    }

    fn try_place(self: &Arc<Self>) -> Option<Place> {
        let mut guests = self.guests();
        if guests.len() >= self.most {
            let idlest = guests
                .values()
                .filter_map(|guest| Some((guest.waiting_since()?, guest.id)))
                .min()?;
            if let Some(guest) = guests.remove(&idlest.1) {
                tracing::debug!("a connection makes room: it was silent longest");
                guest.sent_away.notify_one();
            }
        }
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let guest = Arc::new(Guest {
            id,
            crowd: Arc::clone(self),
            waiting: Mutex::new(Some(Instant::now())),
            sent_away: Notify::new(),
        });
        guests.insert(id, Arc::clone(&guest));
        Some(Place(guest))
    }

    fn guests(&self) -> MutexGuard<'_, HashMap<u64, Arc<Guest>>> {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Guest {
    /// The server is at work for this client from now on.
    pub(super) fn set_working(&self) {
        *self.waiting() = None;
    }

    /// The client is to do something from now on: to ask, to send the rest, to take its answer.
    pub(super) fn set_waiting(&self) {
        *self.waiting() = Some(Instant::now());
        self.crowd.changed.notify_one();
    }

    /// Bytes came or went: whoever is waited for has not fallen silent.
    pub(super) fn record_progress(&self) {
        if let Some(since) = &mut *self.waiting() {
            *since = Instant::now();
        }
    }

    /// Ends when somebody else needs the place more.
    pub(super) async fn sent_away(&self) {
        self.sent_away.notified().await;
    }

    pub(super) fn is_working(&self) -> bool {
        self.waiting().is_none()
    }

    fn waiting_since(&self) -> Option<Instant> {
        *self.waiting()
    }

    fn waiting(&self) -> MutexGuard<'_, Option<Instant>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let crowd = &self.0.crowd;
        crowd.guests().remove(&self.0.id);
        crowd.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_idlest_makes_room_and_nobody_who_is_worked_for() {
        let crowd = Crowd::new(3);
        let places = [
            crowd.place().await,
            crowd.place().await,
            crowd.place().await,
        ];
        let [first, second, third] = &places;
        first.0.set_working();
        tokio::time::advance(std::time::Duration::from_secs(1)).await;
        second.0.record_progress();
        let _fourth = crowd.place().await;
        assert!(
            third.0.sent_away().now_or_never().is_some(),
            "silent for a second"
        );
        assert!(second.0.sent_away().now_or_never().is_none());
        assert!(first.0.sent_away().now_or_never().is_none());
        let _fifth = crowd.place().await;
        assert!(first.0.sent_away().now_or_never().is_none());
    }

    #[tokio::test]
    async fn where_all_are_worked_for_the_next_waits_for_the_first_who_is_not() {
        let crowd = Crowd::new(1);
        let only = crowd.place().await;
        only.0.set_working();
        let mut next = pin!(crowd.place());
        assert!(next.as_mut().now_or_never().is_none());
        only.0.set_waiting();
        let _next = next.await;
        assert!(only.0.sent_away().now_or_never().is_some());
        // Its place is somebody else's by now.
        drop(only);
        assert_eq!(crowd.guests().len(), 1);
    }
}
