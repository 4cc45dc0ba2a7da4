//! Serves one MCP client until it closes its input or the caller stops the server.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;

use rmcp::service::serve_directly;
use rmcp::transport::io::stdio_pipes;
use tokio::io::{AsyncRead, AsyncWrite};

use capstan_engine::Capstan;

use super::options::McpOptions;
use super::revision::RevisionCheck;
use super::server::McpServer;
use super::transport::LineTransport;

/// The error for a server task that ended abnormally.
#[derive(Debug, thiserror::Error)]
#[error("the MCP server stopped unexpectedly: {0}")]
pub struct ServeError(#[from] tokio::task::JoinError);

/// Serves the client on standard input and output. Nothing else may write to standard output meanwhile.
pub async fn serve_stdio(
    capstan: Arc<Capstan>,
    options: McpOptions,
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let (reader, writer) = stdio_pipes();
    serve(capstan, options, reader, writer, stop).await
}

/// Serves one client. Returns when the input ends, after in-flight responses had a moment to finish, or
/// when `stop` completes, which cancels all work.
pub async fn serve(
    capstan: Arc<Capstan>,
    options: McpOptions,
    reader: impl AsyncRead + Send + Unpin + 'static,
    writer: impl AsyncWrite + Send + Unpin + 'static,
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let server = McpServer::new(capstan, options);
    let learner = server.learner().clone();
    let transport = LineTransport::new(reader, writer);
    let running = serve_directly(RevisionCheck(server), transport, None);
    let cancellation = running.cancellation_token();
    let mut ended = pin!(running.waiting());
    tokio::select! {
        reason = &mut ended => {
            reason?;
        }
        () = stop => {
            cancellation.cancel();
            ended.await?;
        }
    }
    learner.finish().await;
    Ok(())
}
