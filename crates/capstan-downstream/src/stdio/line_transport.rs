//! Messages as lines over the pipes of a process.
//!
//! Unlike the library's own transport, this one knows what was sent, answers for messages that are
//! too long to be read, and ends a process gracefully.

use std::io;
use std::sync::Arc;

use rmcp::model::{
    ClientJsonRpcMessage, GetExtensions, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use rmcp::{ErrorData, RoleClient};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{mpsc, oneshot};

use super::Process;
use super::id_extractor::IdExtractor;
use crate::channel::{MAX_MESSAGE_BYTES, SendFlag, TOO_LARGE};
use crate::task::Task;

/// How many lines may be queued for a server that reads slowly.
const MAX_QUEUED_LINES: usize = 64;

pub(crate) struct LineTransport<R> {
    reader: BufReader<R>,
    /// The part of the current line that was read.
    line: Vec<u8>,
    /// Set if the current line is too long: then only its id is extracted.
    extractor: Option<IdExtractor>,
    writer: Option<mpsc::Sender<OutgoingLine>>,
    _writing: Task,
    process: Arc<Process>,
}

struct OutgoingLine {
    message: ClientJsonRpcMessage,
    flag: Option<SendFlag>,
    written: oneshot::Sender<io::Result<()>>,
}

impl<R: AsyncRead + Send + Unpin + 'static> LineTransport<R> {
    pub(crate) fn new(
        reader: R,
        writer: impl AsyncWrite + Send + Unpin + 'static,
        process: Arc<Process>,
    ) -> Self {
        let (sender, receiver) = mpsc::channel(MAX_QUEUED_LINES);
        Self {
            reader: BufReader::new(reader),
            line: Vec::new(),
            extractor: None,
            writer: Some(sender),
            _writing: Task::spawn(write_lines(writer, receiver)),
            process,
        }
    }

    /// Reads to the end of the line; returns whether there was one. Cancel-safe: what was consumed
    /// is in `self`.
    async fn read_line(&mut self) -> io::Result<bool> {
        loop {
            let available = self.reader.fill_buf().await?;
            if available.is_empty() {
                // A last line without a line end is still a line.
                return Ok(!self.line.is_empty() || self.extractor.is_some());
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            match &mut self.extractor {
                Some(extractor) => extractor.read(part),
                None if self.line.len() + part.len() > MAX_MESSAGE_BYTES => {
                    let mut extractor = IdExtractor::default();
                    extractor.read(&std::mem::take(&mut self.line));
                    extractor.read(part);
                    self.extractor = Some(extractor);
                }
                None => self.line.extend_from_slice(part),
            }
            let used = end.map_or(available.len(), |end| end + 1);
            self.reader.consume(used);
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    /// Parses the line that was read, and clears it for the next one.
    fn take_message(&mut self) -> Option<ServerJsonRpcMessage> {
        if let Some(extractor) = self.extractor.take() {
            tracing::warn!("a message of more than {MAX_MESSAGE_BYTES} bytes was dropped");
            let id: RequestId = serde_json::from_slice(&extractor.id()?).ok()?;
            let error = ErrorData::new(TOO_LARGE, "too large", None);
            return Some(ServerJsonRpcMessage::error(error, Some(id)));
        }
        let line = std::mem::take(&mut self.line);
        let text = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&line);
        if text.trim_ascii().is_empty() {
            return None;
        }
        match serde_json::from_slice(text) {
            Ok(message) => Some(message),
            // The line itself is not logged: it may contain a secret.
            Err(error) => {
                tracing::warn!(
                    column = error.column(),
                    "a line on standard output is not a message and was skipped"
                );
                None
            }
        }
    }
}

impl<R: AsyncRead + Send + Unpin + 'static> Transport<RoleClient> for LineTransport<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let flag = match &message {
            JsonRpcMessage::Request(request) => request.request.extensions().get().cloned(),
            _ => None,
        };
        let writer = self.writer.clone();
        async move {
            let closed_error = || io::Error::from(io::ErrorKind::BrokenPipe);
            let (written, done) = oneshot::channel();
            let outgoing = OutgoingLine {
                message,
                flag,
                written,
            };
            let writer = writer.ok_or_else(closed_error)?;
            writer.send(outgoing).await.map_err(|_| closed_error())?;
            done.await.map_err(|_| closed_error())?
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            match self.read_line().await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    tracing::warn!(%error, "standard output cannot be read");
                    return None;
                }
            }
            if let Some(message) = self.take_message() {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        // Without a sender the writer ends, and the process sees the end of its input.
        drop(self.writer.take());
        self.process.close().await;
        Ok(())
    }
}

/// Writes lines until all senders are dropped.
async fn write_lines(
    mut writer: impl AsyncWrite + Send + Unpin,
    mut lines: mpsc::Receiver<OutgoingLine>,
) {
    while let Some(outgoing) = lines.recv().await {
        let OutgoingLine {
            message,
            flag,
            written,
        } = outgoing;
        let flag = flag.unwrap_or_default();
        let result = if flag.mark_sent() {
            write_line(&mut writer, &message, &flag).await
        } else {
            Ok(())
        };
        // The sender may have stopped waiting.
        let _ = written.send(result);
    }
}

async fn write_line(
    writer: &mut (impl AsyncWrite + Unpin),
    message: &ClientJsonRpcMessage,
    flag: &SendFlag,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let first = match writer.write(&line).await {
        Ok(first) => first,
        // The pipe has no reader any more, so nothing was received.
        Err(error) => {
            flag.mark_unsent();
            return Err(error);
        }
    };
    writer.write_all(&line[first..]).await?;
    writer.flush().await
}
