//! The transport: one JSON-RPC message per line, over a pair of byte streams.
//!
//! Unlike the library's own transport, this one replies to lines that are not messages, so that the
//! client does not wait for ever, and it never writes a partial line when a future is dropped.

use std::collections::HashSet;
use std::io;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::message::{self, IncomingLine};

/// The longest line that is read, in bytes. Inputs are texts that people write; this is far above them.
pub(super) const MAX_LINE_BYTES: usize = 8 * 1024 * 1024;

/// How many messages may be queued for a client that reads slowly.
const MAX_QUEUED_MESSAGES: usize = 64;

/// How long queued messages may take to be written when the transport closes.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

pub(super) struct LineTransport<R> {
    reader: BufReader<R>,
    /// The part of the current line that was read so far.
    line: Vec<u8>,
    /// Whether the current line is too long, so that the rest of it is skipped.
    is_skipping: bool,
    /// The ids of the requests that have no response yet. A second request with the same id is rejected,
    /// because the library would lose track of the first.
    open_requests: HashSet<RequestId>,
    /// The reply to a rejected line. It is sent before the next line is read.
    pending_reply: Option<ServerJsonRpcMessage>,
    writer: Option<mpsc::Sender<OutgoingMessage>>,
    writer_task: Option<JoinHandle<()>>,
}

struct OutgoingMessage {
    message: ServerJsonRpcMessage,
    /// Receives the outcome of the write, if the sender wants to know it.
    written: Option<oneshot::Sender<io::Result<()>>>,
}

impl<R: AsyncRead + Send + Unpin + 'static> LineTransport<R> {
    pub(super) fn new(reader: R, writer: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        let (sender, receiver) = mpsc::channel(MAX_QUEUED_MESSAGES);
        Self {
            reader: BufReader::new(reader),
            line: Vec::new(),
            is_skipping: false,
            open_requests: HashSet::new(),
            pending_reply: None,
            writer: Some(sender),
            writer_task: Some(tokio::spawn(write_messages(writer, receiver))),
        }
    }

    /// Reads to the end of the current line. Returns false at the end of the input. Dropping the future
    /// loses nothing, because the bytes that were consumed are kept in `self`.
    async fn read_line(&mut self) -> io::Result<bool> {
        loop {
            let available = self.reader.fill_buf().await?;
            if available.is_empty() {
                // The last line may lack its line end.
                return Ok(!self.line.is_empty() || self.is_skipping);
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            if self.is_skipping || self.line.len() + part.len() > MAX_LINE_BYTES {
                self.is_skipping = true;
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(part);
            }
            let consumed = end.map_or(available.len(), |end| end + 1);
            self.reader.consume(consumed);
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    /// Takes the line that was read and parses it.
    fn take_line(&mut self) -> IncomingLine {
        if std::mem::take(&mut self.is_skipping) {
            return IncomingLine::Rejected(Box::new(message::too_long(MAX_LINE_BYTES)));
        }
        let line = message::parse_line(&self.line);
        self.line.clear();
        // Gives back the memory of a long line.
        self.line.shrink_to(64 * 1024);
        match line {
            IncomingLine::Message(message) => self.track_request(message),
            other => other,
        }
    }

    /// Records which requests are open. Rejects a request whose id is in use.
    fn track_request(&mut self, message: Box<ClientJsonRpcMessage>) -> IncomingLine {
        match &*message {
            JsonRpcMessage::Request(request) if !self.open_requests.insert(request.id.clone()) => {
                return IncomingLine::Rejected(Box::new(message::id_in_use(&request.id)));
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.open_requests.remove(id);
                }
            }
            _ => {}
        }
        IncomingLine::Message(message)
    }

    /// Queues the pending reply, if there is one. Returns false if the client is gone.
    async fn send_pending_reply(&mut self) -> bool {
        if self.pending_reply.is_none() {
            return true;
        }
        let Some(writer) = &self.writer else {
            return false;
        };
        let Ok(permit) = writer.reserve().await else {
            return false;
        };
        if let Some(message) = self.pending_reply.take() {
            permit.send(OutgoingMessage {
                message,
                written: None,
            });
        }
        true
    }
}

impl<R: AsyncRead + Send + Unpin + 'static> Transport<RoleServer> for LineTransport<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let answered = match &message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        if let Some(id) = answered {
            self.open_requests.remove(id);
        }
        let writer = self.writer.clone();
        async move {
            let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
            let (written, done) = oneshot::channel();
            let outgoing = OutgoingMessage {
                message,
                written: Some(written),
            };
            let writer = writer.ok_or_else(closed)?;
            writer.send(outgoing).await.map_err(|_| closed())?;
            done.await.map_err(|_| closed())?
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if !self.send_pending_reply().await {
                return None;
            }
            match self.read_line().await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    tracing::error!(%error, "cannot read from the client");
                    return None;
                }
            }
            match self.take_line() {
                IncomingLine::Message(message) => return Some(*message),
                IncomingLine::Rejected(reply) => self.pending_reply = Some(*reply),
                IncomingLine::Ignored => {}
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        drop(self.writer.take());
        let Some(mut writer_task) = self.writer_task.take() else {
            return Ok(());
        };
        match timeout(CLOSE_TIMEOUT, &mut writer_task).await {
            Ok(result) => result.map_err(io::Error::other),
            Err(_) => {
                writer_task.abort();
                Err(io::ErrorKind::TimedOut.into())
            }
        }
    }
}

/// Writes queued messages until the queue is closed.
async fn write_messages(
    mut writer: impl AsyncWrite + Send + Unpin,
    mut receiver: mpsc::Receiver<OutgoingMessage>,
) {
    while let Some(OutgoingMessage { message, written }) = receiver.recv().await {
        let result = write_line(&mut writer, &message).await;
        if let Err(error) = &result {
            tracing::debug!(%error, "cannot write to the client");
        }
        if let Some(written) = written {
            // The sender may have been dropped.
            let _ = written.send(result);
        }
    }
}

async fn write_line(
    writer: &mut (impl AsyncWrite + Unpin),
    message: &ServerJsonRpcMessage,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    writer.write_all(&line).await?;
    writer.flush().await
}
