//! A transport that records signs of life.

use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;

use super::Liveness;

pub(crate) struct MonitoredTransport<T> {
    inner: T,
    liveness: Arc<Liveness>,
    /// The description of the end when no more messages come; `None` if another part reports the
    /// end with more detail.
    end_reason: Option<&'static str>,
}

impl<T> MonitoredTransport<T> {
    pub(crate) fn new(inner: T, liveness: Arc<Liveness>, end_reason: Option<&'static str>) -> Self {
        Self {
            inner,
            liveness,
            end_reason,
        }
    }

    fn record_end(&self) {
        match self.end_reason {
            Some(reason) => self.liveness.record_end(reason),
            None => self.liveness.set_closing(),
        }
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for MonitoredTransport<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(message)
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        let message = self.inner.receive().await;
        match message {
            Some(_) => self.liveness.record_message(),
            None => self.record_end(),
        }
        message
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.liveness.set_closing();
        self.inner.close().await
    }
}

impl<T> Drop for MonitoredTransport<T> {
    fn drop(&mut self) {
        self.record_end();
    }
}
