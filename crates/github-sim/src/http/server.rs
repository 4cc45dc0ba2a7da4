//! Listening on TCP and Unix sockets; a `Server` stops listening and drops its connections when it is dropped.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::task::{AbortHandle, JoinSet};

use super::connection::{Socket, drive};
use crate::sim::Shared;

/// A running server. Dropping it ends its connections, hung ones included.
#[derive(Debug)]
pub struct Server {
    url: String,
    accepting: AbortHandle,
    socket_file: Option<PathBuf>,
}

impl Server {
    /// Where it listens: `http://127.0.0.1:PORT`, or `unix:PATH`.
    pub fn url(&self) -> String {
        self.url.clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.accepting.abort();
        if let Some(path) = &self.socket_file {
            // A file that is already gone is what we want.
            let _ = std::fs::remove_file(path);
        }
    }
}

pub(crate) async fn serve_tcp(shared: Arc<Shared>, address: SocketAddr) -> io::Result<Server> {
    let listener = TcpListener::bind(address).await?;
    Ok(Server {
        url: format!("http://{}", listener.local_addr()?),
        accepting: tokio::spawn(accept_all(listener, shared)).abort_handle(),
        socket_file: None,
    })
}

pub(crate) fn serve_unix(shared: Arc<Shared>, path: &Path) -> io::Result<Server> {
    let listener = UnixListener::bind(path)?;
    Ok(Server {
        url: format!("unix:{}", path.display()),
        accepting: tokio::spawn(accept_all(listener, shared)).abort_handle(),
        socket_file: Some(path.to_owned()),
    })
}

/// How long to wait when the system cannot give us another socket (out of file descriptors).
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

trait Listener: Send + 'static {
    type Socket: Socket;
    fn next(&self) -> impl Future<Output = io::Result<Self::Socket>> + Send;
}

impl Listener for TcpListener {
    type Socket = TcpStream;
    async fn next(&self) -> io::Result<TcpStream> {
        let (socket, _) = self.accept().await?;
        // Small answers must not wait for the client's delayed acknowledgement.
        socket.set_nodelay(true)?;
        Ok(socket)
    }
}

impl Listener for UnixListener {
    type Socket = UnixStream;
    async fn next(&self) -> io::Result<UnixStream> {
        Ok(self.accept().await?.0)
    }
}

/// Accepts for ever. The connections live in this future, so that aborting it ends them too.
async fn accept_all(listener: impl Listener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.next() => match accepted {
                Ok(socket) => {
                    connections.spawn(drive(socket, Arc::clone(&shared)));
                }
                Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}
