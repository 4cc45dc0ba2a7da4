//! Listens on TCP and Unix sockets. Dropping a `Server` stops it and closes its connections.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::task::{AbortHandle, JoinSet};

use super::connection::{ResettableSocket, serve_connection};
use super::listening::Listening;
use crate::sim::Shared;

/// A running server. Dropping it closes its connections, including hung ones.
#[derive(Debug)]
pub struct Server {
    url: String,
    storage_url: String,
    accept_tasks: [AbortHandle; 2],
    socket_file: Option<PathBuf>,
}

impl Server {
    /// Returns the address: `http://127.0.0.1:PORT`, or `unix:PATH`.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// Returns the address of the storage host, another origin: it serves downloads and takes uploads.
    pub fn storage_url(&self) -> String {
        self.storage_url.clone()
    }

    fn start(
        url: String,
        listener: impl Listener,
        storage: TcpListener,
        shared: Arc<Shared>,
        socket_file: Option<PathBuf>,
    ) -> io::Result<Self> {
        let authority = storage.local_addr()?.to_string();
        let api = Arc::new(Listening::for_api(&authority));
        let storage_url = api.storage_url.clone();
        let downloads = Arc::new(Listening::for_storage(&authority));
        let shared_with_storage = Arc::clone(&shared);
        Ok(Self {
            url,
            storage_url,
            accept_tasks: [
                tokio::spawn(accept_all(listener, shared, api)).abort_handle(),
                tokio::spawn(accept_all(storage, shared_with_storage, downloads)).abort_handle(),
            ],
            socket_file,
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        for task in &self.accept_tasks {
            task.abort();
        }
        if let Some(path) = &self.socket_file {
            // It is fine if the file is already gone.
            let _ = std::fs::remove_file(path);
        }
    }
}

pub(crate) async fn serve_tcp(shared: Arc<Shared>, address: SocketAddr) -> io::Result<Server> {
    let listener = TcpListener::bind(address).await?;
    let storage = TcpListener::bind(SocketAddr::new(address.ip(), 0)).await?;
    let url = format!("http://{}", listener.local_addr()?);
    Server::start(url, listener, storage, shared, None)
}

pub(crate) async fn serve_unix(shared: Arc<Shared>, path: &Path) -> io::Result<Server> {
    let listener = UnixListener::bind(path)?;
    let storage = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let url = format!("unix:{}", path.display());
    Server::start(url, listener, storage, shared, Some(path.to_owned()))
}

/// How long to wait after a failed accept, for instance when there are no file descriptors left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

/// A listener for TCP or Unix sockets.
trait Listener: Send + 'static {
    type Stream: ResettableSocket;
    fn accept_stream(&self) -> impl Future<Output = io::Result<Self::Stream>> + Send;
}

impl Listener for TcpListener {
    type Stream = TcpStream;
    async fn accept_stream(&self) -> io::Result<TcpStream> {
        let (socket, _) = self.accept().await?;
        // Small responses must not wait for the client's delayed acknowledgement.
        socket.set_nodelay(true)?;
        Ok(socket)
    }
}

impl Listener for UnixListener {
    type Stream = UnixStream;
    async fn accept_stream(&self) -> io::Result<UnixStream> {
        Ok(self.accept().await?.0)
    }
}

/// Accepts connections for ever. The connection tasks belong to this future, so aborting it ends them too.
async fn accept_all(listener: impl Listener, shared: Arc<Shared>, listening: Arc<Listening>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept_stream() => match accepted {
                Ok(socket) => {
                    let (shared, listening) = (Arc::clone(&shared), Arc::clone(&listening));
                    connections.spawn(serve_connection(socket, shared, listening));
                }
                Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}
