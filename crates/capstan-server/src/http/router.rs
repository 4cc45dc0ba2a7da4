//! Maps paths and methods to resources.

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::get;

use capstan_core::ErrorCode;
use capstan_core::code::shown_name;

use super::error::ApiError;
use super::state::ApiState;
use super::{access, capabilities, dependencies, finish, graph, health, index, search};

pub(super) fn router(api: ApiState) -> Router {
    let relations = get(dependencies::list).post(dependencies::add);
    let relation = get(dependencies::show)
        .patch(dependencies::update)
        .delete(dependencies::remove);
    Router::new()
        .route("/", get(index::show))
        .route(health::PATH, get(health::show))
        .route("/api/capabilities", get(capabilities::list))
        .route("/api/capabilities/{id}/dependencies", relations)
        .route("/api/capabilities/{id}/dependencies/{to}", relation)
        .route("/api/graph/hypergraph", get(graph::hypergraph::show))
        .route("/api/graph/snapshot", get(graph::snapshot::show))
        .route("/api/graph/path", get(graph::path::show))
        .route("/api/graph/neighbors", get(graph::neighbors::show))
        .route("/api/search", get(search::find))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(from_fn_with_state(api.clone(), access::check_access))
        .layer(from_fn_with_state(api.clone(), finish::finish_response))
        .with_state(api)
}

async fn not_found(request: Request) -> ApiError {
    no_resource_at(request.uri().path())
}

/// Returns the error for a path without a resource: `NOT_FOUND`, status 404.
pub(super) fn no_resource_at(path: &str) -> ApiError {
    let path = shown_name(path);
    let message = format!("no resource at `{path}`: `GET /` lists the resources");
    ApiError::new(StatusCode::NOT_FOUND, ErrorCode::NotFound, message)
}

async fn method_not_allowed(request: Request) -> ApiError {
    let (method, path) = (request.method(), shown_name(request.uri().path()));
    let message = format!(
        "`{method}` is not supported at `{path}`: the `Allow` header lists the methods that are"
    );
    ApiError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        ErrorCode::Validation,
        message,
    )
}
