//! One accepted connection. hyper speaks HTTP on it; a fault may take the socket away from hyper.

use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;

use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpStream, UnixStream};
use tokio::sync::mpsc;

use super::handle::{HandledRequest, handle};
use super::listening::Listening;
use super::response::HttpResponse;
use crate::sim::Shared;

/// How the simulator reacts to a request.
#[derive(Debug)]
pub(crate) enum ConnectionAction {
    Respond(HttpResponse),
    /// Never respond. Ends when the client disconnects or the server stops.
    Hang,
    /// Close the connection at once, with a TCP reset if the socket supports it.
    Reset,
    /// Announce this response, send half of its body, then close the connection.
    Truncate(HttpResponse),
}

impl ConnectionAction {
    /// Applies `change` to the response, if there is one.
    pub(crate) fn map(self, change: impl FnOnce(HttpResponse) -> HttpResponse) -> Self {
        match self {
            Self::Respond(response) => Self::Respond(change(response)),
            Self::Truncate(response) => Self::Truncate(change(response)),
            Self::Hang | Self::Reset => self,
        }
    }
}

/// A socket that can be closed abruptly.
pub(crate) trait ResettableSocket: AsyncRead + AsyncWrite + Unpin + Send + 'static {
    /// Makes the next close of the socket look like a crash to the peer.
    fn prepare_reset(&self);
}

impl ResettableSocket for TcpStream {
    fn prepare_reset(&self) {
        // If setting the option fails, the peer sees an orderly close, which is still a missing response.
        let _ = self.set_zero_linger();
    }
}

impl ResettableSocket for UnixStream {
    fn prepare_reset(&self) {}
}

/// Serves requests until the peer disconnects or a fault closes the connection.
pub(crate) async fn serve_connection(
    socket: impl ResettableSocket,
    shared: Arc<Shared>,
    listening: Arc<Listening>,
) {
    let (end_sender, mut end_receiver) = mpsc::channel::<ConnectionEnd>(1);
    let service = service_fn(move |request: Request<Incoming>| {
        let shared = Arc::clone(&shared);
        let listening = Arc::clone(&listening);
        let end_sender = end_sender.clone();
        async move {
            // `_open` is dropped with this future: when hyper takes the response, or when the connection ends.
            let HandledRequest {
                action,
                open: _open,
            } = handle(&shared, &listening, request).await;
            let end = match action {
                ConnectionAction::Respond(response) => {
                    return Ok::<_, Infallible>(response.into_response());
                }
                ConnectionAction::Hang => return pending().await,
                ConnectionAction::Reset => ConnectionEnd::Reset,
                ConnectionAction::Truncate(response) => {
                    ConnectionEnd::Bytes(response.truncated_bytes())
                }
            };
            // The code after `select!` takes the socket from hyper, so hyper never sends a response to this request.
            let _ = end_sender.send(end).await;
            pending().await
        }
    });
    let mut connection = http1::Builder::new().serve_connection(TokioIo::new(socket), service);
    let end = tokio::select! {
        // An error here means that the peer disconnected during a request.
        _ = &mut connection => return,
        Some(end) = end_receiver.recv() => end,
    };
    let mut socket = connection.into_parts().io.into_inner();
    match end {
        ConnectionEnd::Reset => socket.prepare_reset(),
        ConnectionEnd::Bytes(bytes) => {
            if socket.write_all(&bytes).await.is_ok() {
                let _ = socket.shutdown().await;
            }
        }
    }
}

/// How a fault closes a connection.
enum ConnectionEnd {
    Reset,
    Bytes(Vec<u8>),
}
