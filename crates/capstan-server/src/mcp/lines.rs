//! Messages as lines over a pair of byte streams.
//!
//! Unlike the library's own, this transport answers lines that are no messages instead of leaving
//! the client waiting, and writes whole lines whatever is cancelled meanwhile.

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

use super::message::{self, Line};

/// The longest line that is read. Inputs are texts that people write; this is far above them.
pub(super) const LONGEST_LINE: usize = 8 * 1024 * 1024;

/// How many lines may wait for a client that reads slowly.
const WAITING_LINES: usize = 64;

/// How long a client that goes may take to read what is left.
const LAST_WRITES: Duration = Duration::from_secs(1);

pub(super) struct Lines<R> {
    reader: BufReader<R>,
    /// The part of the current line that was read.
    line: Vec<u8>,
    /// The current line is too long: the rest of it is skipped.
    skipping: bool,
    /// The requests that were not answered yet. The library would lose track of the first of two
    /// with the same id.
    open: HashSet<RequestId>,
    /// What must be sent before anything else is read.
    reply: Option<ServerJsonRpcMessage>,
    writer: Option<mpsc::Sender<Outgoing>>,
    writing: Option<JoinHandle<()>>,
}

struct Outgoing {
    message: ServerJsonRpcMessage,
    written: Option<oneshot::Sender<io::Result<()>>>,
}

impl<R: AsyncRead + Send + Unpin + 'static> Lines<R> {
    pub(super) fn new(reader: R, writer: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        let (sender, receiver) = mpsc::channel(WAITING_LINES);
        Self {
            reader: BufReader::new(reader),
            line: Vec::new(),
            skipping: false,
            open: HashSet::new(),
            reply: None,
            writer: Some(sender),
            writing: Some(tokio::spawn(write(writer, receiver))),
        }
    }

    /// Reads to the end of the line. Nothing is lost when the future is dropped: what was consumed
    /// is in `self`. Answers whether there was a line.
    async fn fill(&mut self) -> io::Result<bool> {
        loop {
            let available = self.reader.fill_buf().await?;
            if available.is_empty() {
                // A last line without its end is still a line.
                return Ok(!self.line.is_empty() || self.skipping);
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            if self.skipping || self.line.len() + part.len() > LONGEST_LINE {
                self.skipping = true;
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(part);
            }
            let used = end.map_or(available.len(), |end| end + 1);
            self.reader.consume(used);
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    /// What the line that was read means; the next one can be read then.
    fn take_line(&mut self) -> Line {
        if std::mem::take(&mut self.skipping) {
            return Line::Rejected(Box::new(message::too_long(LONGEST_LINE)));
        }
        let line = message::read(&self.line);
        self.line.clear();
        // One long line should not cost memory for ever.
        self.line.shrink_to(64 * 1024);
        match line {
            Line::Message(message) => self.track(message),
            other => other,
        }
    }

    fn track(&mut self, message: Box<ClientJsonRpcMessage>) -> Line {
        match &*message {
            JsonRpcMessage::Request(request) if !self.open.insert(request.id.clone()) => {
                return Line::Rejected(Box::new(message::id_in_use(&request.id)));
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.open.remove(id);
                }
            }
            _ => {}
        }
        Line::Message(message)
    }

    async fn send_reply(&mut self) -> bool {
        if self.reply.is_none() {
            return true;
        }
        let Some(writer) = &self.writer else {
            return false;
        };
        let Ok(permit) = writer.reserve().await else {
            return false;
        };
        if let Some(message) = self.reply.take() {
            permit.send(Outgoing {
                message,
                written: None,
            });
        }
        true
    }
}

impl<R: AsyncRead + Send + Unpin + 'static> Transport<RoleServer> for Lines<R> {
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
            self.open.remove(id);
        }
        let writer = self.writer.clone();
        async move {
            let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
            let (written, done) = oneshot::channel();
            let outgoing = Outgoing {
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
            if !self.send_reply().await {
                return None;
            }
            match self.fill().await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    tracing::error!(%error, "the input cannot be read");
                    return None;
                }
            }
            match self.take_line() {
                Line::Message(message) => return Some(*message),
                Line::Rejected(reply) => self.reply = Some(*reply),
                Line::Ignored => {}
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        drop(self.writer.take());
        let Some(mut writing) = self.writing.take() else {
            return Ok(());
        };
        match timeout(LAST_WRITES, &mut writing).await {
            Ok(result) => result.map_err(io::Error::other),
            Err(_) => {
                writing.abort();
                Err(io::ErrorKind::TimedOut.into())
            }
        }
    }
}

/// Writes lines until nobody can send any more.
async fn write(mut writer: impl AsyncWrite + Send + Unpin, mut receiver: mpsc::Receiver<Outgoing>) {
    while let Some(Outgoing { message, written }) = receiver.recv().await {
        let result = write_line(&mut writer, &message).await;
        if let Err(error) = &result {
            tracing::debug!(%error, "the client does not read any more");
        }
        if let Some(written) = written {
            // Whoever sent it may have gone.
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
