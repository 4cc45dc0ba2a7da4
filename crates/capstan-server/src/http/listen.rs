//! Listens on an address and serves HTTP until it is stopped.

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

use super::access::{AccessControl, AccessOptions, TokenRequired};
use super::connection_limit::{ConnectionLimit, ConnectionSlot};
use super::router::router;
use super::service::ConnectionService;
use super::socket::TimeoutSocket;
use super::state::ApiState;
use crate::learner::Learner;

/// A bound port. Connections wait until [`HttpListener::serve`] is called.
#[derive(Debug)]
pub struct HttpListener {
    listener: TcpListener,
    address: SocketAddr,
    access: AccessOptions,
}

/// Why the server cannot listen on an address.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    #[error(transparent)]
    TokenRequired(#[from] TokenRequired),
    #[error("cannot listen on {address}")]
    Address {
        address: SocketAddr,
        source: io::Error,
    },
}

/// How many connections may be open. A further one replaces the one that was idle longest.
const MAX_CONNECTIONS: usize = 256;

/// How long a client may take to send the head of a request, and how long a write may wait for it to
/// read.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(30);

/// How long in-flight requests may take to finish after `stop`.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// How long to wait after a failed accept, for example because the process has no free file descriptor.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// Binds an address. Port 0 selects a free port.
pub async fn listen(
    address: SocketAddr,
    access: AccessOptions,
) -> Result<HttpListener, ListenError> {
    access.check_address(address)?;
    let failed = |source| ListenError::Address { address, source };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let bound_address = listener.local_addr().map_err(failed)?;
    Ok(HttpListener {
        listener,
        address: bound_address,
        access,
    })
}

impl HttpListener {
    /// Returns the address that is listened on, with the actual port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` completes. In-flight requests then have 5 seconds to finish.
    pub async fn serve(self, capstan: Arc<Capstan>, stop: impl Future<Output = ()>) {
        // Loads the graph into memory before the first request needs it.
        Learner::new(Arc::clone(&capstan)).catch_up_now();
        let access = AccessControl::new(self.access, self.address);
        let router = router(ApiState::new(capstan, access));
        let limit = ConnectionLimit::new(MAX_CONNECTIONS);
        let mut accepted = None;
        let (shutdown_sender, shutdown) = watch::channel(());
        let mut connections = JoinSet::new();
        let mut stop = pin!(stop);
        loop {
            tokio::select! {
                socket = accept(&self.listener), if accepted.is_none() => accepted = Some(socket),
                slot = limit.acquire(), if accepted.is_some() => {
                    if let Some(socket) = accepted.take() {
                        let connection =
                            serve_connection(socket, slot, router.clone(), shutdown.clone());
                        connections.spawn(connection);
                    }
                }
                Some(_) = connections.join_next() => {}
                () = &mut stop => break,
            }
        }
        drop(self.listener);
        drop(shutdown_sender);
        let all_closed = async { while connections.join_next().await.is_some() {} };
        // Connections that are still open after the timeout are aborted when the set is dropped.
        let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, all_closed).await;
    }
}

/// Accepts the next connection, retrying after errors.
async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((socket, _)) => return socket,
            Err(cause) => {
                tracing::warn!("cannot accept a connection: {cause}");
                tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
            }
        }
    }
}

/// Serves one connection until it closes, loses its slot, or the server shuts down.
async fn serve_connection(
    stream: TcpStream,
    slot: ConnectionSlot,
    router: Router,
    mut shutdown: watch::Receiver<()>,
) {
    let connection = &slot.0;
    // Small responses must not wait for the client's delayed acknowledgement.
    let _ = stream.set_nodelay(true);
    let socket = TimeoutSocket::new(stream, CLIENT_TIMEOUT, Arc::clone(connection));
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(CLIENT_TIMEOUT)
        .serve_connection(
            TokioIo::new(socket),
            ConnectionService::new(router, Arc::clone(connection)),
        );
    let mut serving = pin!(serving);
    let result = tokio::select! {
        result = &mut serving => result,
        () = connection.wait_for_eviction() => {
            if !connection.is_busy() {
                return;
            }
            // A request arrived just before the eviction: it is finished, and no other one is read.
            serving.as_mut().graceful_shutdown();
            serving.await
        }
        // The sender sends nothing. Dropping it ends this wait with an error, which means shutdown.
        _ = shutdown.changed() => {
            serving.as_mut().graceful_shutdown();
            serving.await
        }
    };
    if let Err(cause) = result {
        tracing::debug!("a connection ended with an error: {cause}");
    }
}
