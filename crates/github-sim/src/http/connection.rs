//! One accepted connection: hyper speaks HTTP on it, and faults may take the socket away from hyper.

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

use super::answer::Answer;
use super::handle::{Handled, handle};
use crate::sim::Shared;

/// How the simulator reacts to a request.
#[derive(Debug)]
pub(crate) enum Reaction {
    Answer(Answer),
    /// Never answer; ends when the client goes away or the server stops.
    Hang,
    /// End the connection at once, with a TCP reset where the socket can do that.
    Reset,
    /// Promise this answer, send half of it, then end the connection.
    Truncate(Answer),
}

impl Reaction {
    /// Changes the answer, if there is one.
    pub(crate) fn map(self, change: impl FnOnce(Answer) -> Answer) -> Self {
        match self {
            Self::Answer(answer) => Self::Answer(change(answer)),
            Self::Truncate(answer) => Self::Truncate(change(answer)),
            Self::Hang | Self::Reset => self,
        }
    }
}

/// A socket that can be ended abruptly.
pub(crate) trait Socket: AsyncRead + AsyncWrite + Unpin + Send + 'static {
    /// Makes the coming drop of the socket look like a crash to the peer.
    fn prepare_reset(&self);
}

impl Socket for TcpStream {
    fn prepare_reset(&self) {
        // If the option is refused the peer sees an orderly end instead, which is still an answer that never came.
        let _ = self.set_zero_linger();
    }
}

impl Socket for UnixStream {
    fn prepare_reset(&self) {}
}

/// Serves requests until the peer goes away or a fault ends the connection.
pub(crate) async fn drive(socket: impl Socket, shared: Arc<Shared>) {
    let (endings, mut ended) = mpsc::channel::<Ending>(1);
    let service = service_fn(move |request: Request<Incoming>| {
        let shared = Arc::clone(&shared);
        let endings = endings.clone();
        async move {
            // Dropped with this future: when hyper takes the answer, or when the connection ends.
            let Handled {
                reaction,
                open: _open,
            } = handle(&shared, request).await;
            let ending = match reaction {
                Reaction::Answer(answer) => return Ok::<_, Infallible>(answer.into_response()),
                Reaction::Hang => return pending().await,
                Reaction::Reset => Ending::Reset,
                Reaction::Truncate(answer) => Ending::Bytes(answer.truncated_bytes()),
            };
            // The driver below takes the socket; this request is never answered through hyper.
            let _ = endings.send(ending).await;
            pending().await
        }
    });
    let mut connection = http1::Builder::new().serve_connection(TokioIo::new(socket), service);
    let ending = tokio::select! {
        // An error here is a peer that went away in the middle of a request.
        _ = &mut connection => return,
        Some(ending) = ended.recv() => ending,
    };
    let mut socket = connection.into_parts().io.into_inner();
    match ending {
        Ending::Reset => socket.prepare_reset(),
        Ending::Bytes(bytes) => {
            if socket.write_all(&bytes).await.is_ok() {
                let _ = socket.shutdown().await;
            }
        }
    }
}

enum Ending {
    Reset,
    Bytes(Vec<u8>),
}
