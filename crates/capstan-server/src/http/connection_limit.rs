//! Limits how many connections are open. When the limit is reached, a new connection replaces the one
//! that has been idle longest, so that silent clients cannot lock others out.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::Instant;

/// The open connections, and how many there may be.
#[derive(Debug)]
pub(super) struct ConnectionLimit {
    max: usize,
    connections: Mutex<HashMap<u64, Arc<Connection>>>,
    next_id: AtomicU64,
    /// Notified when a connection closes or becomes idle.
    changed: Notify,
}

/// The state of one connection.
#[derive(Debug)]
pub(super) struct Connection {
    id: u64,
    limit: Arc<ConnectionLimit>,
    /// Since when the server has been waiting for the client. `None` while the server works on a
    /// request of this client.
    idle_since: Mutex<Option<Instant>>,
    evicted: Notify,
}

/// Permission to keep a connection open. Dropping it frees the slot.
#[derive(Debug)]
pub(super) struct ConnectionSlot(pub(super) Arc<Connection>);

impl ConnectionLimit {
    pub(super) fn new(max: usize) -> Arc<Self> {
        Arc::new(Self {
            max,
            connections: Mutex::default(),
            next_id: AtomicU64::new(0),
            changed: Notify::new(),
        })
    }

    /// Returns a slot for one more connection. At the limit, this evicts the connection that has been
    /// idle longest; if all of them are busy, it waits until one is not. Dropping the future is safe.
    pub(super) async fn acquire(self: &Arc<Self>) -> ConnectionSlot {
        loop {
            let mut changed = pin!(self.changed.notified());
            changed.as_mut().enable();
            if let Some(slot) = self.try_acquire() {
                return slot;
            }
            changed.await;
        }
    }

    fn try_acquire(self: &Arc<Self>) -> Option<ConnectionSlot> {
        let mut connections = self.lock_connections();
        if connections.len() >= self.max {
            let (_, longest_idle) = connections
                .values()
                .filter_map(|connection| Some((connection.idle_since()?, connection.id)))
                .min()?;
            if let Some(connection) = connections.remove(&longest_idle) {
                tracing::debug!(
                    "connection limit reached: closing the connection that was idle longest"
                );
                connection.evicted.notify_one();
            }
        }
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let connection = Arc::new(Connection {
            id,
            limit: Arc::clone(self),
            idle_since: Mutex::new(Some(Instant::now())),
            evicted: Notify::new(),
        });
        connections.insert(id, Arc::clone(&connection));
        Some(ConnectionSlot(connection))
    }

    fn lock_connections(&self) -> MutexGuard<'_, HashMap<u64, Arc<Connection>>> {
        self.connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connection {
    /// Marks the connection as busy: the server works on a request of this client.
    pub(super) fn set_busy(&self) {
        *self.lock_idle_since() = None;
    }

    /// Marks the connection as idle: the server waits until the client sends a request, sends the rest
    /// of a body, or reads its response.
    pub(super) fn set_idle(&self) {
        *self.lock_idle_since() = Some(Instant::now());
        self.limit.changed.notify_one();
    }

    /// Restarts the idle time because bytes were transferred. A busy connection stays busy.
    pub(super) fn record_transfer(&self) {
        if let Some(since) = &mut *self.lock_idle_since() {
            *since = Instant::now();
        }
    }

    /// Waits until the connection loses its slot to another one.
    pub(super) async fn wait_for_eviction(&self) {
        self.evicted.notified().await;
    }

    pub(super) fn is_busy(&self) -> bool {
        self.idle_since().is_none()
    }

    fn idle_since(&self) -> Option<Instant> {
        *self.lock_idle_since()
    }

    fn lock_idle_since(&self) -> MutexGuard<'_, Option<Instant>> {
        self.idle_since
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let limit = &self.0.limit;
        limit.lock_connections().remove(&self.0.id);
        limit.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    fn is_evicted(slot: &ConnectionSlot) -> bool {
        slot.0.wait_for_eviction().now_or_never().is_some()
    }

    #[tokio::test(start_paused = true)]
    async fn evicts_the_connection_that_was_idle_longest_and_no_busy_one() {
        let limit = ConnectionLimit::new(3);
        let slots = [
            limit.acquire().await,
            limit.acquire().await,
            limit.acquire().await,
        ];
        let [first, second, third] = &slots;
        first.0.set_busy();
        tokio::time::advance(std::time::Duration::from_secs(1)).await;
        second.0.record_transfer();
        let _fourth = limit.acquire().await;
        assert!(is_evicted(third), "idle for a second");
        assert!(!is_evicted(second));
        assert!(!is_evicted(first));
        let _fifth = limit.acquire().await;
        assert!(!is_evicted(first));
    }

    #[tokio::test]
    async fn waits_until_a_connection_is_idle_if_all_are_busy() {
        let limit = ConnectionLimit::new(1);
        let only = limit.acquire().await;
        only.0.set_busy();
        let mut waiting = pin!(limit.acquire());
        assert!(waiting.as_mut().now_or_never().is_none());
        only.0.set_idle();
        let _next = waiting.await;
        assert!(is_evicted(&only));
        // Its slot belongs to the next connection, so dropping it must not free another one.
        drop(only);
        assert_eq!(limit.lock_connections().len(), 1);
    }
}
