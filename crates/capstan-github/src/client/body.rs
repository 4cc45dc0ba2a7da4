//! A request body that knows whether it has been handed to a connection, and that can be
//! called off before that. This is how a write that ran out of time while connecting is known
//! not to have happened.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

const WAITING: u8 = 0;
const TAKEN: u8 = 1;
const CALLED_OFF: u8 = 2;

#[derive(Debug)]
pub(super) struct TrackedBody {
    data: Option<Bytes>,
    state: Arc<AtomicU8>,
}

/// The sender's end of a [`TrackedBody`].
#[derive(Debug)]
pub(super) struct Tracker(Arc<AtomicU8>);

impl TrackedBody {
    pub(super) fn new(data: Bytes) -> (Self, Tracker) {
        let state = Arc::new(AtomicU8::new(WAITING));
        let tracker = Tracker(Arc::clone(&state));
        let data = Some(data);
        (Self { data, state }, tracker)
    }
}

impl Tracker {
    /// Makes sure that the body will not be sent any more; false when it is too late. Without
    /// its body a request is incomplete and is not acted upon.
    pub(super) fn call_off(&self) -> bool {
        let before =
            self.0
                .compare_exchange(WAITING, CALLED_OFF, Ordering::AcqRel, Ordering::Acquire);
        before != Err(TAKEN)
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the request was called off")]
pub(super) struct CalledOff;

impl Body for TrackedBody {
    type Data = Bytes;
    type Error = CalledOff;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, CalledOff>>> {
        let Some(data) = self.data.take() else {
            return Poll::Ready(None);
        };
        let before =
            self.state
                .compare_exchange(WAITING, TAKEN, Ordering::AcqRel, Ordering::Acquire);
        Poll::Ready(Some(match before {
            Err(CALLED_OFF) => Err(CalledOff),
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
