//! A request body that knows whether it has been handed to a connection. Called off before that, it
//! is never sent, and without its body a request is not acted upon.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

use crate::line::Letter;

#[derive(Debug)]
pub(super) struct LetterBody {
    data: Option<Bytes>,
    letter: Letter,
}

impl LetterBody {
    pub(super) fn new(data: Bytes, letter: Letter) -> Self {
        let data = Some(data);
        Self { data, letter }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the request was called off")]
pub(super) struct CalledOff;

impl Body for LetterBody {
    type Data = Bytes;
    type Error = CalledOff;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, CalledOff>>> {
        let Some(data) = self.data.take() else {
            return Poll::Ready(None);
        };
        Poll::Ready(Some(if self.letter.leave() {
            Ok(Frame::data(data))
        } else {
            Err(CalledOff)
        }))
    }

    fn is_end_stream(&self) -> bool {
        self.data.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.data.as_ref().map_or(0, |data| data.len() as u64))
    }
}
