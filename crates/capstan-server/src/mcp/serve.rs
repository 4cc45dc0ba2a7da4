//! Serves a client until it goes or the caller says stop.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;

use rmcp::service::serve_directly;
use rmcp::transport::io::stdio_pipes;
use tokio::io::{AsyncRead, AsyncWrite};

use capstan_engine::Capstan;

use super::gate::Gate;
use super::lines::Lines;
use super::options::McpOptions;
use super::server::Server;

/// Why serving ended before the client went.
#[derive(Debug, thiserror::Error)]
#[error("the MCP server stopped unexpectedly: {0}")]
pub struct ServeError(#[from] tokio::task::JoinError);

/// Serves the client on standard input and output. Nothing else may write to standard output.
pub async fn serve_stdio(
    capstan: Arc<Capstan>,
    options: McpOptions,
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let (reader, writer) = stdio_pipes();
    serve(capstan, options, reader, writer, stop).await
}

/// Serves one client. Ends when its input ends, after the answers in the making had a moment to be
/// finished, or when `stop` does, which stops all work.
pub async fn serve(
    capstan: Arc<Capstan>,
    options: McpOptions,
    reader: impl AsyncRead + Send + Unpin + 'static,
    writer: impl AsyncWrite + Send + Unpin + 'static,
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let server = Server::new(capstan, options);
    let learner = server.learner().clone();
    let running = serve_directly(Gate(server), Lines::new(reader, writer), None);
    let cancel = running.cancellation_token();
    let mut ended = pin!(running.waiting());
    tokio::select! {
        reason = &mut ended => {
            reason?;
        }
        () = stop => {
            cancel.cancel();
            ended.await?;
        }
    }
    learner.finish().await;
    Ok(())
}
