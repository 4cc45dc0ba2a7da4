//! A socket whose writes time out, for clients that stop reading their responses.

use std::future::Future as _;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::connection_limit::Connection;

#[derive(Debug)]
pub(super) struct TimeoutSocket {
    socket: TcpStream,
    /// How long a write may wait for the client to read.
    write_timeout: Duration,
    /// The timer of the write that is waiting, if one is.
    timer: Option<Pin<Box<Sleep>>>,
    connection: Arc<Connection>,
}

impl TimeoutSocket {
    pub(super) fn new(
        socket: TcpStream,
        write_timeout: Duration,
        connection: Arc<Connection>,
    ) -> Self {
        Self {
            socket,
            write_timeout,
            timer: None,
            connection,
        }
    }

    /// Applies the timeout to the outcome of a write. Each write that succeeds restarts the timer.
    fn with_timeout<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.timer = None;
            self.connection.record_transfer();
            return written;
        }
        let write_timeout = self.write_timeout;
        let timer = self
            .timer
            .get_or_insert_with(|| Box::pin(sleep(write_timeout)));
        ready!(timer.as_mut().poll(context));
        let message = "the client stopped reading its response";
        Poll::Ready(Err(io::Error::new(ErrorKind::TimedOut, message)))
    }
}

impl AsyncRead for TimeoutSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.socket).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.connection.record_transfer();
        }
        read
    }
}

impl AsyncWrite for TimeoutSocket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write(context, bytes);
        self.with_timeout(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write_vectored(context, pieces);
        self.with_timeout(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}
