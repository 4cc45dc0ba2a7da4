//! A request body that records whether a connection has taken it, and that can be cancelled until
//! then. This proves that a write that ran out of time while connecting did not happen.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

const WAITING: u8 = 0;
const TAKEN: u8 = 1;
const CANCELLED: u8 = 2;

/// A request body whose sender can see whether a connection has taken it.
#[derive(Debug)]
pub(crate) struct TrackedBody {
    data: Option<Bytes>,
    state: Arc<AtomicU8>,
}

/// The sender's end of a [`TrackedBody`].
#[derive(Debug)]
pub(crate) struct BodyTracker(Arc<AtomicU8>);

impl TrackedBody {
    pub(crate) fn new(data: Bytes) -> (Self, BodyTracker) {
        let state = Arc::new(AtomicU8::new(WAITING));
        let tracker = BodyTracker(Arc::clone(&state));
        let data = Some(data);
        (Self { data, state }, tracker)
    }
}

impl BodyTracker {
    /// Prevents the body from being sent. Returns false if a connection has already taken it. A
    /// request without its body is incomplete, so no server acts on it.
    pub(crate) fn cancel(&self) -> bool {
        let before =
            self.0
                .compare_exchange(WAITING, CANCELLED, Ordering::AcqRel, Ordering::Acquire);
        before != Err(TAKEN)
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the request was cancelled")]
pub(crate) struct Cancelled;

impl Body for TrackedBody {
    type Data = Bytes;
    type Error = Cancelled;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Cancelled>>> {
        let Some(data) = self.data.take() else {
            return Poll::Ready(None);
        };
        let before =
            self.state
                .compare_exchange(WAITING, TAKEN, Ordering::AcqRel, Ordering::Acquire);
        Poll::Ready(Some(match before {
            Err(CANCELLED) => Err(Cancelled),
            _ => Ok(Frame::data(data)),
        }))
    }

    fn is_end_stream(&self) -> bool {
        self.data.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.data.as_ref().map_or(0, |data| data.len() as u64))
    }
}
