//! A transport whose pulse is felt.

use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;

use super::Pulse;

pub(crate) struct Watched<T> {
    inner: T,
    pulse: Arc<Pulse>,
    /// What to say when there is nothing more to come; nothing where somebody else knows better.
    last_words: Option<&'static str>,
}

impl<T> Watched<T> {
    pub(crate) fn new(inner: T, pulse: Arc<Pulse>, last_words: Option<&'static str>) -> Self {
        Self {
            inner,
            pulse,
            last_words,
        }
    }

    fn over(&self) {
        match self.last_words {
            Some(words) => self.pulse.end(words),
            None => self.pulse.close(),
        }
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for Watched<T> {
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
            Some(_) => self.pulse.beat(),
            None => self.over(),
        }
        message
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.pulse.close();
        self.inner.close().await
    }
}

impl<T> Drop for Watched<T> {
    fn drop(&mut self) {
        self.over();
    }
}
