//! One request from its bytes to the simulator's reaction: log, faults, token, API, headers.

use bytes::Bytes;
use http::header::{ACCEPT, ACCEPT_ENCODING, AUTHORIZATION};
use http::request::Parts;
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use serde_json::{Value, json};
use time::OffsetDateTime;

use super::answer::Answer;
use super::connection::Reaction;
use super::log::{Operation, SeenRequest, Transport};
use super::rate_limit::Resource;
use super::refuse::refuse;
use super::spoil::spoil;
use super::target::{Target, base_url};
use super::{classify, control};
use crate::graphql;
use crate::rest::{self, RestRequest};
use crate::sim::Shared;
use crate::world::Viewer;

/// Does what a request asks, or what a fault makes of it.
pub(crate) async fn handle(shared: &Shared, request: Request<Incoming>) -> Reaction {
    let (parts, body) = request.into_parts();
    // A body that ends early means that the client is gone: there is nobody to answer.
    let Ok(body) = body
        .collect()
        .await
        .map(http_body_util::Collected::to_bytes)
    else {
        return Reaction::Reset;
    };
    let call = match Target::of(&parts.uri) {
        Target::Control { path } => {
            return Reaction::Answer(control::handle(shared, &parts.method, &path, &body));
        }
        Target::Graphql => Call::graphql(parts, &body),
        Target::Rest { path, enterprise } => Call::rest(parts, path, enterprise, &body),
    };
    let entry = shared.log.begin(call.seen.clone());
    let struck = shared.faults.strike(&call.seen);
    if !struck.delay.is_zero() {
        tokio::time::sleep(struck.delay).await;
    }

    let refused = struck
        .kind
        .as_ref()
        .and_then(|kind| refuse(kind, call.seen.transport, call.resource()));
    let (reaction, viewer) = match refused {
        Some(reaction) => (reaction, None),
        None => {
            let done = serve(shared, &call);
            if done.applied {
                shared.log.applied(entry);
            }
            let reaction = match &struck.kind {
                Some(kind) => spoil(kind, done.answer, &call.seen, &call.body),
                None => Reaction::Answer(done.answer),
            };
            (reaction, done.viewer)
        }
    };
    reaction.map(|answer| {
        shared.log.answered(entry, answer.status.as_u16());
        finish(shared, &call, viewer.as_ref(), answer)
    })
}

/// A request to one of the two APIs.
struct Call {
    parts: Parts,
    seen: SeenRequest,
    api: Api,
    /// The body as JSON; null if there is none, or none that can be read.
    body: Value,
    unreadable: bool,
}

enum Api {
    Graphql,
    Rest { path: String, enterprise: bool },
}

/// A request that was carried out, or refused by GitHub's own rules.
struct Done {
    answer: Answer,
    applied: bool,
    viewer: Option<Viewer>,
}

impl Call {
    fn graphql(parts: Parts, body: &Bytes) -> Self {
        let json = serde_json::from_slice(body);
        let unreadable = json.is_err();
        let body = json.unwrap_or(Value::Null);
        let seen = classify::graphql(&parts.method, path_and_query(&parts), &body);
        Self {
            parts,
            seen,
            api: Api::Graphql,
            body,
            unreadable,
        }
    }

    fn rest(parts: Parts, path: String, enterprise: bool, body: &Bytes) -> Self {
        let json = if body.is_empty() {
            Ok(Value::Null)
        } else {
            serde_json::from_slice(body)
        };
        let seen = classify::rest(&parts.method, path_and_query(&parts));
        Self {
            parts,
            seen,
            api: Api::Rest { path, enterprise },
            unreadable: json.is_err(),
            body: json.unwrap_or(Value::Null),
        }
    }

    fn resource(&self) -> Resource {
        match &self.api {
            Api::Graphql => Resource::Graphql,
            Api::Rest { path, .. } if path.starts_with("/search/") => Resource::Search,
            Api::Rest { .. } => Resource::Core,
        }
    }

    fn header(&self, name: http::HeaderName) -> &str {
        let value = self.parts.headers.get(name);
        value
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    fn accepts_gzip(&self) -> bool {
        self.header(ACCEPT_ENCODING)
            .split(',')
            .any(|coding| coding.trim().split(';').next() == Some("gzip"))
    }

    fn token(&self) -> Option<&str> {
        let (scheme, token) = self.header(AUTHORIZATION).split_once(' ')?;
        let known = scheme.eq_ignore_ascii_case("token") || scheme.eq_ignore_ascii_case("bearer");
        let token = token.trim();
        (known && !token.is_empty()).then_some(token)
    }
}

/// Checks the token and lets the API do its work.
fn serve(shared: &Shared, call: &Call) -> Done {
    let refused = |answer| Done {
        answer,
        applied: false,
        viewer: None,
    };
    let Some(token) = call.token() else {
        return refused(unauthenticated(call.seen.transport));
    };
    let Some(viewer) = shared.world(|world| world.authenticate(token)) else {
        return refused(Answer::refusal(
            StatusCode::UNAUTHORIZED,
            "Bad credentials",
            "https://docs.github.com/rest",
        ));
    };
    let (answer, applied) = match &call.api {
        _ if call.unreadable => (
            Answer::refusal(
                StatusCode::BAD_REQUEST,
                "Problems parsing JSON",
                "https://docs.github.com/rest",
            ),
            false,
        ),
        Api::Graphql => serve_graphql(shared, call, &viewer),
        Api::Rest { path, enterprise } => serve_rest(shared, call, &viewer, path, *enterprise),
    };
    Done {
        answer,
        applied,
        viewer: Some(viewer),
    }
}

fn serve_graphql(shared: &Shared, call: &Call, viewer: &Viewer) -> (Answer, bool) {
    if call.parts.method != Method::POST {
        let answer = Answer::refusal(
            StatusCode::NOT_FOUND,
            "Not Found",
            "https://docs.github.com/graphql",
        );
        return (answer, false);
    }
    // `rateLimit` in the document says what the headers of this answer will say.
    let budget = shared.limits.next(Resource::Graphql);
    let outcome = shared.world(|world| {
        world.rate_limit.used = u64::from(budget.used);
        if let Ok(reset) = OffsetDateTime::from_unix_timestamp(budget.reset) {
            world.rate_limit.resets_at = reset;
        }
        graphql::execute(world, viewer, &call.body)
    });
    (Answer::json(StatusCode::OK, &outcome.json), outcome.applied)
}

fn serve_rest(
    shared: &Shared,
    call: &Call,
    viewer: &Viewer,
    path: &str,
    enterprise: bool,
) -> (Answer, bool) {
    if path == "/rate_limit" {
        return (
            Answer::json(StatusCode::OK, &shared.limits.overview()),
            false,
        );
    }
    if let Some(kind) = unsupported_media(call.header(ACCEPT)) {
        let message =
            format!("Unsupported 'Accept' header: '{kind}'. Must accept 'application/json'.");
        let docs = "https://docs.github.com/rest";
        return (
            Answer::refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, &message, docs),
            false,
        );
    }
    let request = RestRequest::new(
        &call.parts.method,
        path,
        call.parts.uri.query().unwrap_or_default(),
        &call.body,
        base_url(&call.parts.headers, enterprise),
        viewer,
    );
    shared.world(|world| {
        let before = world.revision();
        let answer = rest::answer(world, &request);
        let changed = world.revision() != before;
        (answer, call.seen.operation == Operation::Write && changed)
    })
}

/// Diffs and patches cannot be given: the world knows how many lines changed, not which.
fn unsupported_media(accept: &str) -> Option<&str> {
    let mut kinds = accept.split(',').map(str::trim);
    kinds.find(|kind| {
        let name = kind.split(';').next().unwrap_or_default();
        name.starts_with("application/vnd.github")
            && (name.ends_with("diff") || name.ends_with("patch"))
    })
}

fn unauthenticated(transport: Transport) -> Answer {
    match transport {
        Transport::Rest => Answer::refusal(
            StatusCode::UNAUTHORIZED,
            "Requires authentication",
            "https://docs.github.com/rest",
        ),
        Transport::Graphql => Answer::json(
            StatusCode::UNAUTHORIZED,
            &json!({
                "message": "This endpoint requires you to be authenticated.",
                "documentation_url": "https://docs.github.com/graphql/guides/forming-calls-with-graphql#authenticating-with-graphql",
                "status": "401",
            }),
        ),
    }
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

fn path_and_query(parts: &Parts) -> &str {
    parts
        .uri
        .path_and_query()
        .map_or("/", http::uri::PathAndQuery::as_str)
}
