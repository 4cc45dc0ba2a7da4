//! Sends one request, once, and tells whether it may have left if there is no answer.

use std::time::Instant;

use bytes::Bytes;
use tokio::time::timeout_at;

use crate::TransportFault;
use crate::tracked_body::{BodyTracker, TrackedBody};
use crate::transport_fault;

/// A request without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unanswered {
    pub fault: TransportFault,
    /// Whether the server may have received the request.
    pub may_be_sent: bool,
}

/// Sends a request with a body, and waits for the head of its answer until the deadline.
pub async fn send(
    mut request: reqwest::RequestBuilder,
    body: Option<Bytes>,
    deadline: Instant,
) -> Result<reqwest::Response, Unanswered> {
    let mut tracker = None;
    if let Some(body) = body {
        let (body, tracked) = TrackedBody::new(body);
        request = request.body(reqwest::Body::wrap(body));
        tracker = Some(tracked);
    }
    let result = timeout_at(deadline.into(), request.send()).await;
    // Without a body we cannot know how far the request got, unless connecting failed.
    let cancel_came_late =
        |tracker: Option<&BodyTracker>| tracker.is_none_or(|body| !body.cancel());
    match result {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(error)) => Err(Unanswered {
            fault: transport_fault::from_error(&error),
            may_be_sent: !error.is_connect() && cancel_came_late(tracker.as_ref()),
        }),
        Err(_) => {
            let may_be_sent = cancel_came_late(tracker.as_ref());
            let fault = if may_be_sent {
                TransportFault::Timeout
            } else {
                TransportFault::Connect
            };
            Err(Unanswered { fault, may_be_sent })
        }
    }
}
