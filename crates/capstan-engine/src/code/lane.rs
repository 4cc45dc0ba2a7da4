//! The order of what one run of code writes to GitHub: what it asks for later is written later,
//! whatever it waits for in between.

use std::sync::{Mutex, PoisonError};

use futures_channel::oneshot;

/// The place in the queue of those who came last.
#[derive(Default)]
pub(super) struct Lane(Mutex<Option<oneshot::Receiver<()>>>);

/// A place in the queue. Those behind it wait until it is dropped.
pub(super) struct Turn {
    before: Option<oneshot::Receiver<()>>,
    _behind: oneshot::Sender<()>,
}

impl Lane {
    /// Queues up. All turns of a lane are dropped together or are over in their order, because they
    /// are parts of one run.
    pub(super) fn queue(&self) -> Turn {
        let (over, wait) = oneshot::channel();
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Turn {
            before: last.replace(wait),
            _behind: over,
        }
    }
}

impl Turn {
    /// It is one's turn as soon as the one before is over, however that ended.
    pub(super) async fn come(&mut self) {
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
        assert!(first.come().now_or_never().is_some());
        assert!(second.come().now_or_never().is_none());
        assert!(third.come().now_or_never().is_none());
    }

    #[test]
    fn the_next_begins_when_one_is_over() {
        let lane = Lane::default();
        let (first, mut second) = (lane.queue(), lane.queue());
        drop(first);
        assert!(second.come().now_or_never().is_some());
        drop(second);
        assert!(lane.queue().come().now_or_never().is_some());
    }
}
