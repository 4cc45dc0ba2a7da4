//! Listens on an address and serves until it is told to stop.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use capstan_engine::Capstan;

use super::api::Api;
use super::crowd::{Crowd, Place};
use super::door::{Door, Entry, NeedsToken};
use super::router::router;
use super::socket::Impatient;
use super::watched::Watched;
use crate::learner::Learner;

/// A port that is ours, where nobody is answered yet.
#[derive(Debug)]
pub struct Listening {
    listener: TcpListener,
    address: SocketAddr,
    entry: Entry,
}

#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    #[error(transparent)]
    NeedsToken(#[from] NeedsToken),
    #[error("cannot listen on {address}")]
    Address {
        address: SocketAddr,
        source: io::Error,
    },
}

/// How many may be connected. Whoever comes then takes the place of the one that was silent longest.
const MOST_CONNECTIONS: usize = 256;

/// How long a client may take to say what it wants, and to take the next byte of its answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long answers in the making may take once it is to stop.
const LAST_MOMENT: Duration = Duration::from_secs(5);

/// How long to wait when the system cannot give us another socket (out of file descriptors).
const PAUSE: Duration = Duration::from_millis(50);

/// Port 0 is any that is free.
pub async fn listen(address: SocketAddr, entry: Entry) -> Result<Listening, ListenError> {
    entry.check(address)?;
    let failed = |source| ListenError::Address { address, source };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok(Listening {
        listener,
        address,
        entry,
    })
}

impl Listening {
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` is over. Answers in the making then have a moment to be finished.
    pub async fn serve(self, capstan: Arc<Capstan>, stop: impl Future<Output = ()>) {
        // The graph is brought into memory before somebody asks for it.
        Learner::new(Arc::clone(&capstan)).now();
        let door = Door::new(self.entry, self.address);
        let router = router(Api::new(capstan, door));
        let crowd = Crowd::new(MOST_CONNECTIONS);
        let mut arrived = None;
        let (stopping, is_stopping) = watch::channel(());
        let mut connections = JoinSet::new();
        let mut stop = pin!(stop);
        loop {
            tokio::select! {
                socket = next(&self.listener), if arrived.is_none() => arrived = Some(socket),
                place = crowd.place(), if arrived.is_some() => {
                    if let Some(socket) = arrived.take() {
                        let is_stopping = is_stopping.clone();
                        connections.spawn(serve_one(socket, place, router.clone(), is_stopping));
                    }
                }
                Some(_) = connections.join_next() => {}
                () = &mut stop => break,
            }
        }
        drop(self.listener);
        drop(stopping);
        let over = async { while connections.join_next().await.is_some() {} };
        // What is still there is dropped with its set.
        let _ = tokio::time::timeout(LAST_MOMENT, over).await;
    }
}

async fn next(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((socket, _)) => return socket,
            Err(cause) => {
                tracing::warn!("a connection was lost: {cause}");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

async fn serve_one(
    socket: TcpStream,
    place: Place,
    router: Router,
    mut stopping: watch::Receiver<()>,
) {
    let guest = &place.0;
    // Small answers must not wait for the client's delayed acknowledgement.
    let _ = socket.set_nodelay(true);
    let socket = Impatient::new(socket, PATIENCE, Arc::clone(guest));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .serve_connection(
            TokioIo::new(socket),
            Watched::new(router, Arc::clone(guest)),
        );
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        ended = &mut connection => ended,
        () = guest.sent_away() => {
            if !guest.is_working() {
                return;
            }
            // It asked for something just before: that is finished, and nothing else begun.
            connection.as_mut().graceful_shutdown();
            connection.await
        }
        // An error is what is waited for: nobody says anything, the other end is dropped.
        _ = stopping.changed() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(cause) = ended {
        tracing::debug!("a connection ended: {cause}");
    }
}
