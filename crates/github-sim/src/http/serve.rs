//! Carrying a request out: the token, then the API that it addresses.

use http::header::ACCEPT;
use http::{Method, StatusCode};
use serde_json::json;
use time::OffsetDateTime;

use super::answer::Answer;
use super::call::{Api, Call};
use super::log::{Operation, Transport};
use super::rate_limit::Resource;
use super::target::base_url;
use crate::graphql::{self, Interference};
use crate::rest::{self, RestRequest};
use crate::sim::Shared;
use crate::world::Viewer;

/// A request that was carried out, or refused by GitHub's own rules.
pub(super) struct Done {
    pub(super) answer: Answer,
    pub(super) applied: bool,
    /// The root fields of a mutation that changed the world, by alias.
    pub(super) applied_fields: Vec<String>,
    pub(super) viewer: Option<Viewer>,
}

impl Done {
    fn unchanged(answer: Answer) -> Self {
        Self {
            answer,
            applied: false,
            applied_fields: Vec::new(),
            viewer: None,
        }
    }
}

/// Checks the token and lets the API do its work.
pub(super) fn serve(shared: &Shared, call: &Call, interference: &Interference) -> Done {
    let Some(token) = call.token() else {
        return Done::unchanged(unauthenticated(call.seen.transport));
    };
    let Some(viewer) = shared.world(|world| world.authenticate(token)) else {
        return Done::unchanged(Answer::refusal(
            StatusCode::UNAUTHORIZED,
            "Bad credentials",
            "https://docs.github.com/rest",
        ));
    };
    let done = match &call.api {
        _ if call.unreadable => Done::unchanged(Answer::refusal(
            StatusCode::BAD_REQUEST,
            "Problems parsing JSON",
            "https://docs.github.com/rest",
        )),
        Api::Graphql(_) if call.parts.method != Method::POST => Done::unchanged(Answer::refusal(
            StatusCode::NOT_FOUND,
            "Not Found",
            "https://docs.github.com/graphql",
        )),
        Api::Graphql(request) => serve_graphql(shared, request, &viewer, interference),
        Api::Rest {
            path,
            enterprise,
            body,
        } => {
            let request = RestRequest::new(
                &call.parts.method,
                path,
                call.parts.uri.query().unwrap_or_default(),
                body,
                call.header(ACCEPT),
                base_url(&call.parts.headers, *enterprise),
                &viewer,
            );
            serve_rest(shared, call, path, &request)
        }
    };
    Done {
        viewer: Some(viewer),
        ..done
    }
}

fn serve_graphql(
    shared: &Shared,
    request: &graphql::Request,
    viewer: &Viewer,
    interference: &Interference,
) -> Done {
    // `rateLimit` in the document says what the headers of this answer will say.
    let budget = shared.limits.next(Resource::Graphql);
    let outcome = shared.world(|world| {
        world.rate_limit.used = u64::from(budget.used);
        if let Ok(reset) = OffsetDateTime::from_unix_timestamp(budget.reset) {
            world.rate_limit.resets_at = reset;
        }
        graphql::execute_with(world, viewer, request, interference)
    });
    Done {
        applied: outcome.applied,
        applied_fields: outcome.applied_fields,
        ..Done::unchanged(Answer::json(StatusCode::OK, &outcome.json))
    }
}

fn serve_rest(shared: &Shared, call: &Call, path: &str, request: &RestRequest<'_>) -> Done {
    if path == "/rate_limit" {
        return Done::unchanged(Answer::json(StatusCode::OK, &shared.limits.overview()));
    }
    if let Some(kind) = unsupported_media(call.header(ACCEPT)) {
        let message =
            format!("Unsupported 'Accept' header: '{kind}'. Must accept 'application/json'.");
        let docs = "https://docs.github.com/rest";
        return Done::unchanged(Answer::refusal(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            &message,
            docs,
        ));
    }
    shared.world(|world| {
        let before = world.revision();
        let answer = rest::answer(world, request);
        let changed = world.revision() != before;
        Done {
            applied: call.seen.operation == Operation::Write && changed,
            ..Done::unchanged(answer)
        }
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
