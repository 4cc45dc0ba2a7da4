//! One request and its answer, within a deadline.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rmcp::RoleClient;
use rmcp::model::{ClientRequest, GetExtensions, ServerResult};
use rmcp::service::{Peer, PeerRequestOptions, RequestHandle};
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::time::{sleep_until, timeout};

use super::{Fault, Kind, Letter, Pulse};

/// How long the end of a server may take to be seen.
const LINGER: Duration = Duration::from_millis(500);

/// What requests go through. Any number can be under way at once.
#[derive(Debug)]
pub(crate) struct Line {
    peer: Peer<RoleClient>,
    pulse: Arc<Pulse>,
}

impl Line {
    pub(crate) fn new(peer: Peer<RoleClient>, pulse: Arc<Pulse>) -> Self {
        Self { peer, pulse }
    }

    pub(crate) fn peer(&self) -> &Peer<RoleClient> {
        &self.peer
    }

    pub(crate) fn pulse(&self) -> &Pulse {
        &self.pulse
    }

    /// Sends a request once and waits for its answer. When nobody waits any more, because of the
    /// deadline or because the future is dropped, the server is told so.
    pub(crate) async fn ask(
        &self,
        mut request: ClientRequest,
        deadline: Instant,
    ) -> Result<Value, Fault> {
        let letter = Letter::default();
        request.extensions_mut().insert(letter.clone());
        let result = tokio::select! {
            // An answer that is here counts, whatever happened since.
            biased;
            result = self.exchange(request) => result,
            words = self.pulse.ended() => Err(Kind::Ended(words)),
            () = sleep_until(deadline.into()) => Err(Kind::OutOfTime),
        };
        result.map_err(|kind| Fault {
            left: !letter.call_off(),
            kind,
        })
    }

    async fn exchange(&self, request: ClientRequest) -> Result<Value, Kind> {
        let options = PeerRequestOptions::no_options();
        let sent = self.peer.send_request_with_option(request, options).await;
        let handle = match sent {
            Ok(handle) => handle,
            // It says only that the line is closed; the pulse knows how it ended.
            Err(_) => return Err(Kind::Ended(self.pulse.ended().await)),
        };
        let mut open = Open(Some(handle));
        match open.answer().await {
            Some(Ok(result)) => serde_json::to_value::<ServerResult>(result)
                .map_err(|error| Kind::Lost(error.to_string())),
            Some(Err(error)) => match Kind::of(error) {
                Kind::Unwritten(why) => Err(Kind::Ended(self.deaf(&why).await)),
                kind => Err(kind),
            },
            None => Err(Kind::Ended(self.pulse.ended().await)),
        }
    }

    /// A server that takes nothing in has most likely just ended, and then how it did says more.
    async fn deaf(&self, why: &str) -> Arc<str> {
        let ended = timeout(LINGER, self.pulse.ended()).await;
        ended.unwrap_or_else(|_| format!("it takes nothing in any more: {why}").into())
    }
}

type Answer = Result<ServerResult, rmcp::service::ServiceError>;

/// A request that is waited for. Dropped before its answer, it is cancelled.
struct Open(Option<RequestHandle<RoleClient>>);

impl Open {
    /// Nothing where the line was closed meanwhile.
    async fn answer(&mut self) -> Option<Answer> {
        let answer = (&mut self.0.as_mut()?.rx).await;
        self.0 = None;
        answer.ok()
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(handle) = self.0.take()
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(handle.cancel(Some("nobody waits for it any more".to_owned())));
        }
    }
}
