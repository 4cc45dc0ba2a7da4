//! Sends one request and waits for its answer until a deadline.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rmcp::RoleClient;
use rmcp::model::{ClientRequest, GetExtensions, ServerResult};
use rmcp::service::{Peer, PeerRequestOptions, RequestHandle};
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::time::{sleep_until, timeout};

use super::{FaultKind, Liveness, RequestFault, SendFlag};

/// How long to wait until the end of a server is noticed.
const LINGER: Duration = Duration::from_millis(500);

/// Sends requests to a server. Any number can be under way at the same time.
#[derive(Debug)]
pub(crate) struct RequestChannel {
    peer: Peer<RoleClient>,
    liveness: Arc<Liveness>,
}

impl RequestChannel {
    pub(crate) fn new(peer: Peer<RoleClient>, liveness: Arc<Liveness>) -> Self {
        Self { peer, liveness }
    }

    pub(crate) fn peer(&self) -> &Peer<RoleClient> {
        &self.peer
    }

    pub(crate) fn liveness(&self) -> &Liveness {
        &self.liveness
    }

    /// Sends a request once and waits for its answer. If the deadline passes or the future is
    /// dropped, the server is told that the request is cancelled.
    pub(crate) async fn request(
        &self,
        mut request: ClientRequest,
        deadline: Instant,
    ) -> Result<Value, RequestFault> {
        let flag = SendFlag::default();
        request.extensions_mut().insert(flag.clone());
        let result = tokio::select! {
            // An answer that has arrived wins, whatever happened since.
            biased;
            result = self.exchange(request) => result,
            words = self.liveness.wait_for_end() => Err(FaultKind::Ended(words)),
            () = sleep_until(deadline.into()) => Err(FaultKind::OutOfTime),
        };
        result.map_err(|kind| RequestFault {
            may_be_sent: !flag.cancel(),
            kind,
        })
    }

    async fn exchange(&self, request: ClientRequest) -> Result<Value, FaultKind> {
        let options = PeerRequestOptions::no_options();
        let sent = self.peer.send_request_with_option(request, options).await;
        let handle = match sent {
            Ok(handle) => handle,
            // The error only says that the connection is closed; the liveness knows how it ended.
            Err(_) => return Err(FaultKind::Ended(self.liveness.wait_for_end().await)),
        };
        let mut pending = PendingRequest(Some(handle));
        match pending.answer().await {
            Some(Ok(result)) => serde_json::to_value::<ServerResult>(result)
                .map_err(|error| FaultKind::Lost(error.to_string())),
            Some(Err(error)) => match FaultKind::from_service_error(error) {
                FaultKind::Unwritten(why) => {
                    Err(FaultKind::Ended(self.write_failure_reason(&why).await))
                }
                kind => Err(kind),
            },
            None => Err(FaultKind::Ended(self.liveness.wait_for_end().await)),
        }
    }

    /// Returns why a server reads nothing any more. It has most likely just ended, and how it ended
    /// says more than `why`.
    async fn write_failure_reason(&self, why: &str) -> Arc<str> {
        let ended = timeout(LINGER, self.liveness.wait_for_end()).await;
        ended.unwrap_or_else(|_| format!("it no longer accepts input: {why}").into())
    }
}

type RequestAnswer = Result<ServerResult, rmcp::service::ServiceError>;

/// A request whose answer is awaited. Dropping it before the answer cancels the request.
struct PendingRequest(Option<RequestHandle<RoleClient>>);

impl PendingRequest {
    /// Waits for the answer; `None` if the connection was closed.
    async fn answer(&mut self) -> Option<RequestAnswer> {
        let answer = (&mut self.0.as_mut()?.rx).await;
        self.0 = None;
        answer.ok()
    }
}

impl Drop for PendingRequest {
    fn drop(&mut self) {
        if let Some(handle) = self.0.take()
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(handle.cancel(Some("nobody waits for it any more".to_owned())));
        }
    }
}
