//! Keeps the order in which one run of code writes to GitHub: later calls write later, whatever the code waits for in
//! between.

use std::sync::{Mutex, PoisonError};

use futures_channel::oneshot;

/// A queue of writes. It holds the end signal of the last turn.
#[derive(Default)]
pub(super) struct Lane(Mutex<Option<oneshot::Receiver<()>>>);

/// A place in the queue. The next turn waits until this one is dropped.
pub(super) struct LaneTurn {
    before: Option<oneshot::Receiver<()>>,
    _behind: oneshot::Sender<()>,
}

impl Lane {
    /// Takes the next place. All turns of a lane are dropped together or end in their order, because they are parts
    /// of one run.
    pub(super) fn queue(&self) -> LaneTurn {
        let (over, wait) = oneshot::channel();
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        LaneTurn {
            before: last.replace(wait),
            _behind: over,
        }
    }
}

impl LaneTurn {
    /// Waits until the turn before this one has ended, in whatever way.
    pub(super) async fn wait(&mut self) {
        if let Some(before) = self.before.take() {
            let _ = before.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn turns_come_in_their_order() {
        let lane = Lane::default();
        let [mut first, mut second, mut third] = [(); 3].map(|()| lane.queue());
        assert!(first.wait().now_or_never().is_some());
        assert!(second.wait().now_or_never().is_none());
        assert!(third.wait().now_or_never().is_none());
    }

    #[test]
    fn the_next_begins_when_one_is_over() {
        let lane = Lane::default();
        let (first, mut second) = (lane.queue(), lane.queue());
        drop(first);
        assert!(second.wait().now_or_never().is_some());
        drop(second);
        assert!(lane.queue().wait().now_or_never().is_some());
    }
}
