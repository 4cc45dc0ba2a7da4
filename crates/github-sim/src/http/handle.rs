//! The path of a request: parse, log, apply faults, call the API, add headers.

use std::sync::Arc;

use http::{Request, StatusCode};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;

use super::call::{Api, Call};
use super::connection::ConnectionAction;
use super::control;
use super::damage::damage_response;
use super::etag;
use super::fault::MatchedFaults;
use super::interference::interference_for;
use super::listening::Listening;
use super::log::{LogEntryId, SeenRequest};
use super::refuse::refusal_for;
use super::response::HttpResponse;
use super::serve::serve;
use super::target::Target;
use crate::sim::Shared;
use crate::world::Viewer;

/// Executes a request, or does what a fault demands instead.
pub(crate) async fn handle(
    shared: &Arc<Shared>,
    listening: &Listening,
    request: Request<Incoming>,
) -> HandledRequest {
    let (parts, body) = request.into_parts();
    // The body ends early if the client disconnected: nobody waits for a response.
    let Ok(body) = body
        .collect()
        .await
        .map(http_body_util::Collected::to_bytes)
    else {
        return HandledRequest::unlogged(ConnectionAction::Reset);
    };
    let call = match Target::from_uri(&parts.uri, listening.is_storage(&parts.headers)) {
        Target::Control { path } => {
            let response = control::handle(shared, &parts.method, &path, &body);
            return HandledRequest::unlogged(ConnectionAction::Respond(response));
        }
        Target::Graphql => Call::graphql(parts, &body),
        Target::Rest { path, enterprise } => Call::rest(parts, path, enterprise, false, &body),
        Target::Upload { path } => Call::rest(parts, path, false, true, &body),
        Target::Storage => Call::storage(parts),
    };
    let open = OpenRequest::begin(shared, call.seen.clone());
    let faults = shared.faults.take_matching(&call.seen);
    // The request is executed before the delay, so that a client that gives up early does not change the result.
    let (action, viewer) = execute(shared, &call, &listening.storage_url, &faults, open.entry);
    if !faults.delay.is_zero() {
        tokio::time::sleep(faults.delay).await;
    }
    let action = action.map(|response| {
        let response = add_github_headers(shared, &call, viewer.as_ref(), response);
        shared
            .log
            .record_status(open.entry, response.status.as_u16());
        response
    });
    HandledRequest {
        action,
        open: Some(open),
    }
}

/// The action to a request, and the guard that marks the request as open.
#[derive(Debug)]
pub(crate) struct HandledRequest {
    pub(crate) action: ConnectionAction,
    /// Must live until the response is sent or the connection ends.
    pub(crate) open: Option<OpenRequest>,
}

impl HandledRequest {
    fn unlogged(action: ConnectionAction) -> Self {
        Self { action, open: None }
    }
}

/// Marks a request as open. Dropping it records in the log that the request finished, even if the client disconnects.
#[derive(Debug)]
pub(crate) struct OpenRequest {
    shared: Arc<Shared>,
    entry: LogEntryId,
}

impl OpenRequest {
    fn begin(shared: &Arc<Shared>, seen: SeenRequest) -> Self {
        Self {
            entry: shared.log.record_started(seen),
            shared: Arc::clone(shared),
        }
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        self.shared.log.record_finished(self.entry);
    }
}

/// Executes a request, unless a fault prevents it, and applies the fault to the response.
fn execute(
    shared: &Shared,
    call: &Call,
    storage_url: &str,
    faults: &MatchedFaults,
    entry: LogEntryId,
) -> (ConnectionAction, Option<Viewer>) {
    let serve_and_log = || {
        let mut result = serve(
            shared,
            call,
            storage_url,
            &interference_for(faults, &call.seen),
        );
        if result.applied {
            let fields = std::mem::take(&mut result.applied_fields);
            shared.log.record_applied(entry, fields);
        }
        result
    };
    let Some(fault) = &faults.whole else {
        let result = serve_and_log();
        return (ConnectionAction::Respond(result.response), result.viewer);
    };
    if let Some(refusal) = refusal_for(&fault.kind, call.seen.transport, call.resource()) {
        if fault.applied {
            serve_and_log();
        }
        return (refusal, None);
    }
    let result = serve_and_log();
    let action = damage_response(&fault.kind, result.response, call);
    (action, result.viewer)
}

/// Adds the headers of every GitHub response; keeps rate-limit headers that a fault has set.
fn add_github_headers(
    shared: &Shared,
    call: &Call,
    viewer: Option<&Viewer>,
    response: HttpResponse,
) -> HttpResponse {
    if matches!(call.api, Api::Storage) {
        return response;
    }
    let is_read = matches!(call.parts.method.as_str(), "GET" | "HEAD");
    let response = if is_read && matches!(call.api, Api::Rest { .. }) {
        etag::tag(response, &call.parts.headers)
    } else {
        response
    };
    let mut response = if response.headers.contains_key("x-ratelimit-limit") {
        response
    } else if response.status == StatusCode::NOT_MODIFIED {
        // GitHub does not count an answer that the client has already.
        shared.limits.current(call.resource()).add_headers(response)
    } else {
        shared.limits.spend(call.resource()).add_headers(response)
    };
    response = response
        .with_header("server", "github.com")
        .with_header("x-github-request-id", shared.next_request_id())
        .with_header("x-github-media-type", "github.v3; format=json");
    if let Some(viewer) = viewer {
        response = response
            .with_header("x-oauth-scopes", viewer.scopes.join(", "))
            .with_header("x-accepted-oauth-scopes", "repo");
    }
    if matches!(call.api, Api::Rest { .. }) {
        response = response.with_header("x-github-api-version-selected", "2022-11-28");
    }
    if call.accepts_gzip() {
        response.gzipped()
    } else {
        response
    }
}
