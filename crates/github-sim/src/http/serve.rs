//! Executes a request: checks the token, then calls the API that the request addresses.

use http::header::{ACCEPT, CONTENT_TYPE};
use http::{Method, StatusCode};
use serde_json::json;
use time::OffsetDateTime;

use super::call::{Api, Call};
use super::log::{Operation, Transport};
use super::rate_limit::Resource;
use super::response::HttpResponse;
use super::storage;
use super::target::base_url;
use crate::graphql::{self, Interference};
use crate::rest::{self, RestRequest};
use crate::sim::Shared;
use crate::world::Viewer;

/// The result of a request that was executed, or refused by GitHub's own rules.
pub(super) struct ServeResult {
    pub(super) response: HttpResponse,
    pub(super) applied: bool,
    /// Aliases of the mutation fields that changed the world.
    pub(super) applied_fields: Vec<String>,
    pub(super) viewer: Option<Viewer>,
}

impl ServeResult {
    fn unchanged(response: HttpResponse) -> Self {
        Self {
            response,
            applied: false,
            applied_fields: Vec::new(),
            viewer: None,
        }
    }
}

/// Checks the token and calls the API.
pub(super) fn serve(
    shared: &Shared,
    call: &Call,
    storage_url: &str,
    interference: &Interference,
) -> ServeResult {
    if matches!(call.api, Api::Storage) {
        return ServeResult::unchanged(storage::serve(shared, &call.parts));
    }
    let Some(token) = call.token() else {
        return ServeResult::unchanged(unauthenticated(call.seen.transport));
    };
    let Some(viewer) = shared.world(|world| world.authenticate(token)) else {
        return ServeResult::unchanged(HttpResponse::rest_error(
            StatusCode::UNAUTHORIZED,
            "Bad credentials",
            "https://docs.github.com/rest",
        ));
    };
    let result = match &call.api {
        _ if call.has_invalid_json => ServeResult::unchanged(HttpResponse::rest_error(
            StatusCode::BAD_REQUEST,
            "Problems parsing JSON",
            "https://docs.github.com/rest",
        )),
        Api::Graphql(_) if call.parts.method != Method::POST => {
            ServeResult::unchanged(HttpResponse::rest_error(
                StatusCode::NOT_FOUND,
                "Not Found",
                "https://docs.github.com/graphql",
            ))
        }
        Api::Graphql(request) => serve_graphql(shared, request, &viewer, interference),
        Api::Storage => ServeResult::unchanged(storage::serve(shared, &call.parts)),
        Api::Rest {
            path,
            enterprise,
            body,
            payload,
            is_upload,
        } => {
            let request = RestRequest::new(
                &call.parts.method,
                path,
                call.parts.uri.query().unwrap_or_default(),
                body,
                call.header(ACCEPT),
                base_url(&call.parts.headers, *enterprise),
                &viewer,
            )
            .with_payload(call.header(CONTENT_TYPE), payload)
            .with_hosts(storage_url, *is_upload);
            serve_rest(shared, call, path, &request)
        }
    };
    ServeResult {
        viewer: Some(viewer),
        ..result
    }
}

fn serve_graphql(
    shared: &Shared,
    request: &graphql::Request,
    viewer: &Viewer,
    interference: &Interference,
) -> ServeResult {
    // The `rateLimit` field must agree with the headers of this response.
    let budget = shared.limits.next(Resource::Graphql);
    let outcome = shared.world(|world| {
        world.rate_limit.used = u64::from(budget.used);
        if let Ok(reset) = OffsetDateTime::from_unix_timestamp(budget.reset) {
            world.rate_limit.resets_at = reset;
        }
        graphql::execute_with(world, viewer, request, interference)
    });
    let mut response = HttpResponse::json(StatusCode::OK, &outcome.json);
    if outcome.is_made_up {
        response = response.with_header("x-sim-answer", "schema");
    }
    ServeResult {
        applied: outcome.applied,
        applied_fields: outcome.applied_fields,
        ..ServeResult::unchanged(response)
    }
}

fn serve_rest(shared: &Shared, call: &Call, path: &str, request: &RestRequest<'_>) -> ServeResult {
    if path == "/rate_limit" {
        return ServeResult::unchanged(HttpResponse::json(
            StatusCode::OK,
            &shared.limits.overview(),
        ));
    }
    shared.world(|world| {
        let before = world.revision();
        let response = rest::respond(world, request);
        let changed = world.revision() != before;
        ServeResult {
            applied: call.seen.operation == Operation::Write && changed,
            ..ServeResult::unchanged(response)
        }
    })
}

fn unauthenticated(transport: Transport) -> HttpResponse {
    match transport {
        Transport::Rest | Transport::Storage => HttpResponse::rest_error(
            StatusCode::UNAUTHORIZED,
            "Requires authentication",
            "https://docs.github.com/rest",
        ),
        Transport::Graphql => HttpResponse::json(
            StatusCode::UNAUTHORIZED,
            &json!({
                "message": "This endpoint requires you to be authenticated.",
                "documentation_url": "https://docs.github.com/graphql/guides/forming-calls-with-graphql#authenticating-with-graphql",
                "status": "401",
            }),
        ),
    }
}
