//! A request body that knows whether it was passed to a connection. If it is cancelled before that,
//! it is never sent, and a server does not act on a request without its body.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

use crate::channel::SendFlag;

#[derive(Debug)]
pub(super) struct TrackedBody {
    data: Option<Bytes>,
    flag: SendFlag,
}

impl TrackedBody {
    pub(super) fn new(data: Bytes, flag: SendFlag) -> Self {
        let data = Some(data);
        Self { data, flag }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the request was cancelled")]
pub(super) struct Cancelled;

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
        Poll::Ready(Some(if self.flag.mark_sent() {
            Ok(Frame::data(data))
        } else {
            Err(Cancelled)
        }))
    }

    fn is_end_stream(&self) -> bool {
        self.data.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.data.as_ref().map_or(0, |data| data.len() as u64))
    }
}
