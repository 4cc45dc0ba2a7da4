//! Messages as lines over the pipes of a process.
//!
//! Unlike the library's own, this transport knows what left, answers for messages that are too long
//! to be read, and closes a process politely.

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
use super::skim::Skim;
use crate::line::{LARGEST_MESSAGE, Letter, TOO_LARGE};
use crate::task::Task;

/// How many lines may wait for a server that reads slowly.
const WAITING_LINES: usize = 64;

pub(crate) struct Lines<R> {
    reader: BufReader<R>,
    /// The part of the current line that was read.
    line: Vec<u8>,
    /// The current line is too long: it is only skimmed for whom it answers.
    skim: Option<Skim>,
    writer: Option<mpsc::Sender<Outgoing>>,
    _writing: Task,
    process: Arc<Process>,
}

struct Outgoing {
    message: ClientJsonRpcMessage,
    letter: Option<Letter>,
    written: oneshot::Sender<io::Result<()>>,
}

impl<R: AsyncRead + Send + Unpin + 'static> Lines<R> {
    pub(crate) fn new(
        reader: R,
        writer: impl AsyncWrite + Send + Unpin + 'static,
        process: Arc<Process>,
    ) -> Self {
        let (sender, receiver) = mpsc::channel(WAITING_LINES);
        Self {
            reader: BufReader::new(reader),
            line: Vec::new(),
            skim: None,
            writer: Some(sender),
            _writing: Task::spawn(write(writer, receiver)),
            process,
        }
    }

    /// Reads to the end of the line. Nothing is lost when the future is dropped: what was consumed
    /// is in `self`. Answers whether there was a line.
    async fn fill(&mut self) -> io::Result<bool> {
        loop {
            let available = self.reader.fill_buf().await?;
            if available.is_empty() {
                // A last line without its end is still a line.
                return Ok(!self.line.is_empty() || self.skim.is_some());
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            match &mut self.skim {
                Some(skim) => skim.read(part),
                None if self.line.len() + part.len() > LARGEST_MESSAGE => {
                    let mut skim = Skim::default();
                    skim.read(&std::mem::take(&mut self.line));
                    skim.read(part);
                    self.skim = Some(skim);
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

    /// What the line that was read means; the next one can be read then.
    fn take_line(&mut self) -> Option<ServerJsonRpcMessage> {
        if let Some(skim) = self.skim.take() {
            tracing::warn!("a message of more than {LARGEST_MESSAGE} bytes was dropped");
            let id: RequestId = serde_json::from_slice(&skim.id()?).ok()?;
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
            // Not what: it may hold a secret.
            Err(error) => {
                tracing::warn!(
                    column = error.column(),
                    "a line on standard output is no message and was skipped"
                );
                None
            }
        }
    }
}

impl<R: AsyncRead + Send + Unpin + 'static> Transport<RoleClient> for Lines<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let letter = match &message {
            JsonRpcMessage::Request(request) => request.request.extensions().get().cloned(),
            _ => None,
        };
        let writer = self.writer.clone();
        async move {
            let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
            let (written, done) = oneshot::channel();
            let outgoing = Outgoing {
                message,
                letter,
                written,
            };
            let writer = writer.ok_or_else(closed)?;
            writer.send(outgoing).await.map_err(|_| closed())?;
            done.await.map_err(|_| closed())?
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            match self.fill().await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    tracing::warn!(%error, "standard output cannot be read");
                    return None;
                }
            }
            if let Some(message) = self.take_line() {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        // Without a sender the writer ends, and the process sees the end of its input.
        drop(self.writer.take());
        self.process.leave().await;
        Ok(())
    }
}

/// Writes lines until nobody can send any more.
async fn write(mut writer: impl AsyncWrite + Send + Unpin, mut lines: mpsc::Receiver<Outgoing>) {
    while let Some(outgoing) = lines.recv().await {
        let Outgoing {
            message,
            letter,
            written,
        } = outgoing;
        let letter = letter.unwrap_or_default();
        let result = if letter.leave() {
            write_line(&mut writer, &message, &letter).await
        } else {
            Ok(())
        };
        // Whoever sent it may have gone.
        let _ = written.send(result);
    }
}

async fn write_line(
    writer: &mut (impl AsyncWrite + Unpin),
    message: &ClientJsonRpcMessage,
    letter: &Letter,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let first = match writer.write(&line).await {
        Ok(first) => first,
        // Nobody reads any more, so nobody got anything.
        Err(error) => {
            letter.come_back();
            return Err(error);
        }
    };
    writer.write_all(&line[first..]).await?;
    writer.flush().await
}
