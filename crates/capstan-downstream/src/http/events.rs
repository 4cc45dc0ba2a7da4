//! Answers that come as a stream of events of limited size.

use std::io;

use bytes::Bytes;
use futures_util::stream::{BoxStream, StreamExt as _};
use rmcp::ErrorData;
use rmcp::model::{RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::SseError;
use sse_stream::{Sse, SseStream};

use crate::channel::TOO_LARGE;

pub(super) type Events = BoxStream<'static, Result<Sse, SseError>>;

/// Reads events. An event larger than `limit` is replaced by an error that answers `id`. Failing
/// the stream would not help: the library would request it again, and it would be as large.
pub(super) fn read(
    bytes: impl futures_util::Stream<Item = reqwest::Result<Bytes>> + Send + Unpin + 'static,
    id: Option<RequestId>,
    limit: usize,
) -> Events {
    let mut size_limit = EventSizeLimit::new(limit);
    let bounded = bytes.map(move |chunk| {
        let chunk = chunk.map_err(|error| io::Error::other(error.without_url()))?;
        size_limit.check(&chunk)?;
        Ok::<_, io::Error>(chunk)
    });
    let events = SseStream::from_bytes_stream(bounded).map(move |event| match event {
        Err(SseError::Body(error)) if is_too_large(error.as_ref()) => {
            let error = ErrorData::new(TOO_LARGE, "too large", None);
            let message = ServerJsonRpcMessage::error(error, id.clone());
            let text = serde_json::to_string(&message).unwrap_or_default();
            Ok(Sse::default().data(text))
        }
        other => other,
    });
    events.boxed()
}

fn is_too_large(error: &(dyn std::error::Error + 'static)) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::FileTooLarge)
}

/// Counts the bytes since the last empty line.
struct EventSizeLimit {
    limit: usize,
    size: usize,
    is_line_empty: bool,
}

impl EventSizeLimit {
    fn new(limit: usize) -> Self {
        Self {
            limit,
            size: 0,
            is_line_empty: true,
        }
    }

    fn check(&mut self, chunk: &[u8]) -> io::Result<()> {
        for byte in chunk {
            match byte {
                b'\n' if self.is_line_empty => self.size = 0,
                b'\n' => self.is_line_empty = true,
                b'\r' => {}
                _ => {
                    self.is_line_empty = false;
                    self.size += 1;
                }
            }
            if self.size > self.limit {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;

    fn source(
        chunks: &'static [&'static str],
    ) -> impl futures_util::Stream<Item = reqwest::Result<Bytes>> + Send + Unpin {
        stream::iter(chunks).map(|chunk| Ok(Bytes::from_static(chunk.as_bytes())))
    }

    #[tokio::test]
    async fn events_up_to_the_limit_pass() {
        let mut events = read(
            source(&["data: a\r\n\r\nda", "ta: bc\n\n", "data: de\n\n"]),
            None,
            8,
        );
        let mut texts = Vec::new();
        while let Some(event) = events.next().await {
            texts.push(event.unwrap().data.unwrap());
        }
        assert_eq!(texts, ["a", "bc", "de"]);
    }

    #[tokio::test]
    async fn one_that_is_too_large_becomes_the_answer() {
        let id = Some(RequestId::Number(7));
        let mut events = read(source(&["data: a\n\n", "data: bcd", "efg\n\n"]), id, 8);
        assert_eq!(events.next().await.unwrap().unwrap().data.unwrap(), "a");
        let text = events.next().await.unwrap().unwrap().data.unwrap();
        let message: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(message["id"], 7);
        assert_eq!(message["error"]["code"], TOO_LARGE.0);
    }
}
