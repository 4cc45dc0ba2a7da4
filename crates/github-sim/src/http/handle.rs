//! One request from its bytes to the simulator's reaction: log, faults, API, headers.

use std::sync::Arc;

use http::Request;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;

use super::answer::Answer;
use super::call::{Api, Call};
use super::connection::Reaction;
use super::control;
use super::disturb::disturb;
use super::fault::Struck;
use super::log::{Entry, SeenRequest};
use super::refuse::refuse;
use super::serve::serve;
use super::spoil::spoil;
use super::target::Target;
use crate::sim::Shared;
use crate::world::Viewer;

/// Does what a request asks, or what a fault makes of it.
pub(crate) async fn handle(shared: &Arc<Shared>, request: Request<Incoming>) -> Handled {
    let (parts, body) = request.into_parts();
    // A body that ends early means that the client is gone: there is nobody to answer.
    let Ok(body) = body
        .collect()
        .await
        .map(http_body_util::Collected::to_bytes)
    else {
        return Handled::unlogged(Reaction::Reset);
    };
    let call = match Target::of(&parts.uri) {
        Target::Control { path } => {
            let answer = control::handle(shared, &parts.method, &path, &body);
            return Handled::unlogged(Reaction::Answer(answer));
        }
        Target::Graphql => Call::graphql(parts, &body),
        Target::Rest { path, enterprise } => Call::rest(parts, path, enterprise, &body),
    };
    let open = OpenRequest::begin(shared, call.seen.clone());
    let struck = shared.faults.strike(&call.seen);
    // What is asked is done before the delay: it does not depend on the client's patience.
    let (reaction, viewer) = react(shared, &call, &struck, open.entry);
    if !struck.delay.is_zero() {
        tokio::time::sleep(struck.delay).await;
    }
    let reaction = reaction.map(|answer| {
        shared.log.answered(open.entry, answer.status.as_u16());
        finish(shared, &call, viewer.as_ref(), answer)
    });
    Handled {
        reaction,
        open: Some(open),
    }
}

/// The reaction to a request, and what says how long it is under way.
#[derive(Debug)]
pub(crate) struct Handled {
    pub(crate) reaction: Reaction,
    /// To be kept until the answer goes out or the connection ends.
    pub(crate) open: Option<OpenRequest>,
}

impl Handled {
    fn unlogged(reaction: Reaction) -> Self {
        Self {
            reaction,
            open: None,
        }
    }
}

/// A request that is under way; it is logged as finished when this is dropped, also by a client that goes away.
#[derive(Debug)]
pub(crate) struct OpenRequest {
    shared: Arc<Shared>,
    entry: Entry,
}

impl OpenRequest {
    fn begin(shared: &Arc<Shared>, seen: SeenRequest) -> Self {
        Self {
            entry: shared.log.begin(seen),
            shared: Arc::clone(shared),
        }
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        self.shared.log.finished(self.entry);
    }
}

/// Carries a request out, or not, as the faults say.
fn react(
    shared: &Shared,
    call: &Call,
    struck: &Struck,
    entry: Entry,
) -> (Reaction, Option<Viewer>) {
    let carry_out = || {
        let mut done = serve(shared, call, &disturb(struck, &call.seen));
        if done.applied {
            let fields = std::mem::take(&mut done.applied_fields);
            shared.log.applied(entry, fields);
        }
        done
    };
    let Some(blow) = &struck.blow else {
        let done = carry_out();
        return (Reaction::Answer(done.answer), done.viewer);
    };
    if let Some(refusal) = refuse(&blow.kind, call.seen.transport, call.resource()) {
        if blow.applied {
            carry_out();
        }
        return (refusal, None);
    }
    let done = carry_out();
    let reaction = spoil(&blow.kind, done.answer, call);
    (reaction, done.viewer)
}

/// Puts on the headers that every answer of GitHub has; what a fault has set already stays.
fn finish(shared: &Shared, call: &Call, viewer: Option<&Viewer>, answer: Answer) -> Answer {
    let mut answer = if answer.headers.contains_key("x-ratelimit-limit") {
        answer
    } else {
        shared.limits.spend(call.resource()).stamp(answer)
    };
    answer = answer
        .with("server", "github.com")
        .with("x-github-request-id", shared.request_id())
        .with("x-github-media-type", "github.v3; format=json");
    if let Some(viewer) = viewer {
        answer = answer
            .with("x-oauth-scopes", viewer.scopes.join(", "))
            .with("x-accepted-oauth-scopes", "repo");
    }
    if matches!(call.api, Api::Rest { .. }) {
        answer = answer.with("x-github-api-version-selected", "2022-11-28");
    }
    if call.accepts_gzip() {
        answer.gzipped()
    } else {
        answer
    }
}
